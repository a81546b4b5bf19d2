//! The circuit, as seen by the search.

use super::cube::{Cube, StateLit};
use crate::aig::{Aig, Lit, Reset};
use crate::engine::definitions::Definitions;

/// A circuit with its initial states.
pub(super) struct Model<'a> {
    pub(super) aig: &'a Aig,
    /// How solvers see its gates; `None`: each as it is.
    pub(super) definitions: Option<Definitions>,
    /// For each latch its value in the first frame, if it is known.
    resets: Vec<Option<bool>>,
}

impl<'a> Model<'a> {
    pub(super) fn new(aig: &'a Aig, eliminate: bool) -> Self {
        let reset = |reset| match reset {
            Reset::Zero => Some(false),
            Reset::One => Some(true),
            Reset::Free => None,
        };
        let resets = aig.latches().iter().map(|l| reset(l.reset)).collect();
        let definitions = eliminate.then(|| {
            let next = aig.latches().iter().map(|l| l.next);
            let all = aig.bads.iter().chain(&aig.constraints).map(|named| named.value);
            Definitions::new(aig, &next.chain(all).collect::<Vec<_>>())
        });
        Self { aig, definitions, resets }
    }

    /// True when `lit` holds.
    pub(super) fn now(&self, lit: StateLit) -> Lit {
        Lit::new(self.aig.latches()[lit.latch()].var, !lit.value())
    }

    /// True when `lit` will hold in the next frame.
    pub(super) fn next(&self, lit: StateLit) -> Lit {
        self.aig.latches()[lit.latch()].next.xor(!lit.value())
    }

    /// The constraints.
    pub(super) fn constraints(&self) -> impl Iterator<Item = Lit> {
        self.aig.constraints.iter().map(|c| c.value)
    }

    /// Values of latches in the first frame, as far as known.
    pub(super) fn initial(&self) -> impl Iterator<Item = StateLit> {
        let known = |(latch, value): (usize, &Option<bool>)| Some(StateLit::new(latch, (*value)?));
        self.resets.iter().enumerate().filter_map(known)
    }

    /// Whether `lit` is false in all initial states.
    pub(super) fn contradicts_reset(&self, lit: StateLit) -> bool {
        self.resets[lit.latch()] == Some(!lit.value())
    }

    /// Whether some initial state has all these literals.
    pub(super) fn meets_reset(&self, lits: &[StateLit]) -> bool {
        !lits.iter().any(|&l| self.contradicts_reset(l))
    }

    /// An initial state in the cube, in which it is not empty.
    pub(super) fn initial_in(&self, cube: &Cube) -> Vec<bool> {
        let mut state: Vec<bool> = self.resets.iter().map(|r| r.unwrap_or(false)).collect();
        for lit in cube.lits() {
            state[lit.latch()] = lit.value();
        }
        state
    }
}
