//! Random small circuits, and explicit-state search as the reference. Nothing here uses the
//! simulator, the unroller or a solver.

use crate::aig::{Aig, Lit, Named, Node, Reset};
use crate::base::Rng;
use crate::engine::Problem;
use crate::outcome::Trace;

/// What kind of circuit to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Without signals about moves.
    Plain,
    /// With moves, but runs may go on for ever.
    Moving,
    /// With moves that only ever raise latches, so that runs end.
    Ending,
}

/// A circuit of few latches with its signals about moves.
pub(crate) struct Sample {
    pub aig: Aig,
    pub moved: Option<Lit>,
    pub can_move: Option<Lit>,
}

impl Sample {
    pub fn problem(&self) -> Problem<'_> {
        Problem { moved: self.moved, can_move: self.can_move, ..Problem::new(&self.aig) }
    }

    pub fn random(seed: u64, kind: Kind) -> Self {
        let mut rng = Rng::new(seed);
        let mut aig = Aig::new();
        let mut pool: Vec<Lit> = (0..rng.below(4)).map(|_| aig.input(None)).collect();
        let latches: Vec<Lit> = (0..1 + rng.below(5))
            .map(|k| {
                let resets = [Reset::Zero, Reset::Zero, Reset::One, Reset::Free];
                // Of half of the circuits some latches are one word.
                let name = (seed.is_multiple_of(2) && k < 3).then(|| format!("word[{k}]"));
                aig.latch(*rng.pick(&resets), name)
            })
            .collect();
        pool.extend(&latches);
        for _ in 0..3 + rng.below(25) {
            let (a, b) = (any(&mut rng, &pool), any(&mut rng, &pool));
            pool.push(if rng.one_in(3) { aig.xor(a, b) } else { aig.and(a, b) });
        }
        let mut sample = Sample { aig, moved: None, can_move: None };
        sample.constraints(&mut rng, &pool);
        sample.next_states(&mut rng, &pool, &latches, kind);
        for _ in 0..1 + rng.below(4) {
            let lits: Vec<Lit> = (0..1 + rng.below(4)).map(|_| any(&mut rng, &pool)).collect();
            let value = sample.aig.and_all(lits);
            sample.aig.bads.push(Named { value, name: None });
        }
        sample
    }

    fn constraints(&mut self, rng: &mut Rng, pool: &[Lit]) {
        for _ in 0..rng.below(5).saturating_sub(2) {
            let lits: Vec<Lit> = (0..3).map(|_| any(rng, pool)).collect();
            let value = self.aig.or_all(lits);
            self.aig.constraints.push(Named { value, name: None });
        }
    }

    fn next_states(&mut self, rng: &mut Rng, pool: &[Lit], latches: &[Lit], kind: Kind) {
        let mut next: Vec<Lit> = latches.iter().map(|_| any(rng, pool)).collect();
        if kind == Kind::Ending {
            for (next, &old) in next.iter_mut().zip(latches) {
                *next = self.aig.or(*next, old);
            }
        }
        if kind != Kind::Plain {
            let mut moved = any(rng, pool);
            if kind == Kind::Ending {
                let aig = &mut self.aig;
                let lits: Vec<Lit> =
                    next.iter().zip(latches).map(|(&a, &b)| aig.xor(a, b)).collect();
                let change = aig.or_all(lits);
                // Half of the circuits move whenever they can.
                moved = if rng.one_in(2) { change } else { aig.and(moved, change) };
            }
            for (next, &old) in next.iter_mut().zip(latches) {
                *next = self.aig.ite(moved, *next, old);
            }
            self.moved = Some(moved);
        }
        for (&latch, &next) in latches.iter().zip(&next) {
            self.aig.set_next(latch, next);
        }
        if let Some(moved) = self.moved {
            self.can_move = Some(self.some_input_makes(moved, latches));
        }
    }

    /// True in the states in which some legal input makes `lit` true.
    fn some_input_makes(&mut self, lit: Lit, latches: &[Lit]) -> Lit {
        let mut result = Lit::FALSE;
        for state in 0..1u32 << latches.len() {
            let steps = steps(&self.aig, state);
            if steps.iter().any(|f| f.legal(&self.aig) && f.value(lit)) {
                let minterm = latches.iter().enumerate().map(|(k, l)| l.xor(state >> k & 1 == 0));
                let minterm = self.aig.and_all(minterm);
                result = self.aig.or(result, minterm);
            }
        }
        result
    }
}

fn any(rng: &mut Rng, pool: &[Lit]) -> Lit {
    rng.pick(pool).xor(rng.one_in(2))
}

/// The values of all nodes in one frame.
pub(crate) struct Frame(Vec<bool>);

impl Frame {
    /// Bit k of `state` and `inputs` is the value of the k-th latch and input.
    pub fn new(aig: &Aig, state: u32, inputs: u32) -> Self {
        let mut frame = Frame(vec![]);
        for &node in aig.nodes() {
            let value = match node {
                Node::False => false,
                Node::Input(k) => inputs >> k & 1 == 1,
                Node::Latch(k) => state >> k & 1 == 1,
                Node::And(a, b) => frame.value(a) && frame.value(b),
            };
            frame.0.push(value);
        }
        frame
    }

    pub fn value(&self, lit: Lit) -> bool {
        self.0[(lit.code() >> 1) as usize] != lit.is_negated()
    }

    pub fn legal(&self, aig: &Aig) -> bool {
        aig.constraints.iter().all(|c| self.value(c.value))
    }

    pub fn next(&self, aig: &Aig) -> u32 {
        aig.latches().iter().enumerate().map(|(k, l)| u32::from(self.value(l.next)) << k).sum()
    }
}

/// All frames that start in the state.
fn steps(aig: &Aig, state: u32) -> Vec<Frame> {
    (0..1 << aig.inputs().len()).map(|inputs| Frame::new(aig, state, inputs)).collect()
}

/// Sets of states as bit sets, bit s for the state s.
fn initial_states(aig: &Aig) -> u64 {
    let agrees = |state: u32| {
        aig.latches().iter().enumerate().all(|(k, l)| match l.reset {
            Reset::Zero => state >> k & 1 == 0,
            Reset::One => state >> k & 1 == 1,
            Reset::Free => true,
        })
    };
    (0..1 << aig.latches().len()).filter(|&s| agrees(s)).map(|s| 1u64 << s).sum()
}

/// What an exhaustive search says about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The shortest violation has this many moves.
    Violated(usize),
    /// Runs have up to this many moves, and none is bad.
    Ends(usize),
    /// Up to the bound none is bad, and runs go on.
    Bound,
}

/// Looks at all runs with up to `bound` moves.
pub(crate) fn search(sample: &Sample, bound: usize) -> Vec<Expected> {
    let aig = &sample.aig;
    let mut found = vec![None; aig.bads.len()];
    let mut level = initial_states(aig);
    for depth in 0..=bound {
        let mut next = 0;
        for state in (0..64).filter(|s| level >> s & 1 == 1) {
            for frame in steps(aig, state).iter().filter(|f| f.legal(aig)) {
                for (found, bad) in found.iter_mut().zip(&aig.bads) {
                    if found.is_none() && frame.value(bad.value) {
                        *found = Some(Expected::Violated(depth));
                    }
                }
                if sample.moved.is_none_or(|moved| frame.value(moved)) {
                    next |= 1 << frame.next(aig);
                }
            }
        }
        if next == 0 {
            return found.into_iter().map(|f| f.unwrap_or(Expected::Ends(depth))).collect();
        }
        level = next;
    }
    found.into_iter().map(|f| f.unwrap_or(Expected::Bound)).collect()
}

/// Which properties are violated in some run, whether its frames move or not.
pub(crate) fn reachable(aig: &Aig) -> Vec<bool> {
    let mut violated = vec![false; aig.bads.len()];
    let mut seen = initial_states(aig);
    loop {
        let mut next = seen;
        for state in (0..64).filter(|s| seen >> s & 1 == 1) {
            for frame in steps(aig, state).iter().filter(|f| f.legal(aig)) {
                for (violated, bad) in violated.iter_mut().zip(&aig.bads) {
                    *violated |= frame.value(bad.value);
                }
                next |= 1 << frame.next(aig);
            }
        }
        if next == seen {
            return violated;
        }
        seen = next;
    }
}

/// Whether the trace is a run to its bad state.
pub(crate) fn is_run(aig: &Aig, trace: &Trace) -> bool {
    let number = |bits: &[bool]| bits.iter().enumerate().map(|(k, &b)| u32::from(b) << k).sum();
    let mut state: u32 = number(&trace.initial);
    if initial_states(aig) >> state & 1 == 0 {
        return false;
    }
    let mut bad = false;
    for inputs in &trace.inputs {
        let frame = Frame::new(aig, state, number(inputs));
        if !frame.legal(aig) {
            return false;
        }
        bad = frame.value(aig.bads[trace.bad].value);
        state = frame.next(aig);
    }
    bad
}

/// Whether the set of states contains the initial ones and no bad one, and steps do not leave it.
pub(super) fn is_invariant(aig: &Aig, bad: usize, holds: &dyn Fn(u32) -> bool) -> bool {
    let states = 1u32 << aig.latches().len();
    let initial = |s: u32| initial_states(aig) >> s & 1 == 1;
    let legal = |s: u32| steps(aig, s).into_iter().filter(|f| f.legal(aig)).collect::<Vec<_>>();
    (0..states).all(|s| holds(s) || !initial(s) || legal(s).is_empty())
        && (0..states)
            .filter(|&s| holds(s))
            .all(|s| legal(s).iter().all(|f| holds(f.next(aig)) && !f.value(aig.bads[bad].value)))
}
