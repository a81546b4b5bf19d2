//! Execution of a graph, on single bits or on many runs at once.

use std::ops::{BitAnd, Not};

use crate::base::{IndexVec, Lanes, Rng};

use super::{Aig, Latch, Lit, Node, Reset, Var};

/// What a simulator computes on: `bool` is one run, `u64` are 64 independent ones, [`Lanes`] more.
pub trait Word: Copy + BitAnd<Output = Self> + Not<Output = Self> {
    /// False in every run.
    const ZERO: Self;
}

impl Word for bool {
    const ZERO: bool = false;
}

impl Word for u64 {
    const ZERO: u64 = 0;
}

impl Word for Lanes {
    const ZERO: Lanes = Lanes::NONE;
}

/// Executes a graph frame by frame: [`Simulator::eval`] with the frame's inputs, then
/// [`Simulator::value`] for any literal, then [`Simulator::advance`] to the next frame.
#[derive(Clone, Debug)]
pub struct Simulator<'a, W> {
    aig: &'a Aig,
    values: IndexVec<Var, W>,
    state: Vec<W>,
}

impl<'a> Simulator<'a, u64> {
    /// 64 runs side by side, from resets; latches without one start with random values.
    pub fn random(aig: &'a Aig, rng: &mut Rng) -> Self {
        let reset = |latch: &Latch| match latch.reset {
            Reset::Zero => 0,
            Reset::One => !0,
            Reset::Free => rng.next_u64(),
        };
        let initial: Vec<u64> = aig.latches().iter().map(reset).collect();
        Self::new(aig, &initial)
    }
}

impl<'a, W: Word> Simulator<'a, W> {
    /// A simulator whose first frame has these values of all latches, in order. Resets are not
    /// looked at.
    ///
    /// # Panics
    /// If there is not one value for each latch.
    pub fn new(aig: &'a Aig, initial: &[W]) -> Self {
        assert_eq!(initial.len(), aig.latches().len(), "one value for each latch");
        let values = IndexVec::filled(W::ZERO, aig.nodes().len());
        Self { aig, values, state: initial.to_vec() }
    }

    /// Computes the frame's values for these values of all inputs, in order.
    ///
    /// # Panics
    /// If there is not one value for each input.
    pub fn eval(&mut self, inputs: &[W]) {
        assert_eq!(inputs.len(), self.aig.inputs().len(), "one value for each input");
        for (var, &node) in self.aig.nodes().iter_enumerated() {
            self.values[var] = match node {
                Node::False => W::ZERO,
                Node::Input(k) => inputs[k as usize],
                Node::Latch(k) => self.state[k as usize],
                Node::And(a, b) => self.value(a) & self.value(b),
            };
        }
    }

    /// The literal's value in the frame that was evaluated last.
    pub fn value(&self, lit: Lit) -> W {
        let value = self.values[lit.var()];
        if lit.is_negated() { !value } else { value }
    }

    /// Goes from the frame that was evaluated last to the next one.
    pub fn advance(&mut self) {
        for (k, latch) in self.aig.latches().iter().enumerate() {
            self.state[k] = self.value(latch.next);
        }
    }

    /// Goes to a frame with these values of all latches, in order.
    ///
    /// # Panics
    /// If there is not one value for each latch.
    pub fn set_state(&mut self, state: &[W]) {
        self.state.copy_from_slice(state);
    }

    /// The latches' values, in order, in the frame that [`Simulator::eval`] computes next (after
    /// it, until [`Simulator::advance`]: computed last).
    pub fn state(&self) -> &[W] {
        &self.state
    }
}

/// What holds in one frame of a run; each list has the order of the graph's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Values of the latches.
    pub latches: Vec<bool>,
    /// Values of the plain outputs.
    pub outputs: Vec<bool>,
    /// Which bad states this is.
    pub bads: Vec<bool>,
    /// Which constraints hold.
    pub constraints: Vec<bool>,
    /// Which literals of each justice set hold.
    pub justice: Vec<Vec<bool>>,
    /// Which fairness literals hold.
    pub fairness: Vec<bool>,
}

impl Frame {
    /// Whether all constraints hold.
    pub fn legal(&self) -> bool {
        self.constraints.iter().all(|&c| c)
    }
}

/// The frames of the run from the latch values `initial` under `inputs` (one vector for each
/// frame). Resets are not looked at, see [`Aig::bad_reset`]; nor does an illegal frame end it.
///
/// # Panics
/// If there is not one value for each latch and, in each frame, for each input.
pub fn run(aig: &Aig, initial: &[bool], inputs: &[Vec<bool>]) -> Vec<Frame> {
    let mut sim = Simulator::new(aig, initial);
    let mut frames = Vec::with_capacity(inputs.len());
    for vector in inputs {
        sim.eval(vector);
        let all = |list: &[super::Named<Lit>]| list.iter().map(|p| sim.value(p.value)).collect();
        frames.push(Frame {
            latches: sim.state().to_vec(),
            outputs: all(&aig.outputs),
            bads: all(&aig.bads),
            constraints: all(&aig.constraints),
            justice: aig
                .justice
                .iter()
                .map(|set| set.value.iter().map(|&l| sim.value(l)).collect())
                .collect(),
            fairness: all(&aig.fairness),
        });
        sim.advance();
    }
    frames
}

impl Aig {
    /// The position of the first latch whose value in `initial` is not its reset value.
    pub fn bad_reset(&self, initial: &[bool]) -> Option<usize> {
        self.latches().iter().zip(initial).position(|(latch, &value)| match latch.reset {
            Reset::Zero => value,
            Reset::One => !value,
            Reset::Free => false,
        })
    }
}
