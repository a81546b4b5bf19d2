//! Justice properties as bad-state properties of larger circuits.

use super::{Aig, Lit, Named, Node, Reset, Var};
use crate::base::IndexVec;

/// A circuit whose only bad state tells about a justice property of another one: its first
/// inputs and latches are those of the other circuit, in order.
#[derive(Clone, Debug)]
pub struct Monitored {
    /// The circuit, with the other one's constraints, one bad and no justice.
    pub aig: Aig,
    /// The input that stores the state, for [`liveness_to_safety`]: its position.
    pub save: Option<usize>,
}

/// Liveness to safety by state recording (Biere, Artho, Schuppan: Liveness checking as safety
/// checking, FMICS 2002): an input may once store the state; bad is a later frame with the stored
/// state before which, from the stored one on, each literal of the justice set and of fairness
/// was true. Only latches that these or the constraints depend on are stored. A run to bad is a
/// stem and a loop, and one frame more.
///
/// # Panics
/// If there is no justice set at this position.
pub fn liveness_to_safety(aig: &Aig, justice: usize) -> Monitored {
    let goals = goals(aig, justice);
    let constraints = aig.constraints.iter().map(|c| c.value);
    let live = super::cone::mark(aig, goals.iter().copied().chain(constraints).collect());
    let mut copy = Copied::new(aig);
    let save = copy.aig.inputs().len();
    let asked = copy.aig.input(Some("save".into()));
    let saved = copy.aig.latch(Reset::Zero, Some("saved".into()));
    let saving = copy.aig.and(asked, !saved);
    let inside = copy.aig.or(saved, saving);
    copy.aig.set_next(saved, inside);
    let mut bad = saved;
    for latch in aig.latches().iter().filter(|l| live[l.var]) {
        let now = copy.lit(Lit::new(latch.var, false));
        let stored = copy.aig.latch(Reset::Zero, None);
        let next = copy.aig.ite(saving, now, stored);
        copy.aig.set_next(stored, next);
        let differs = copy.aig.xor(now, stored);
        bad = copy.aig.and(bad, !differs);
    }
    for goal in goals {
        let goal = copy.lit(goal);
        let seen = copy.aig.latch(Reset::Zero, None);
        let now = copy.aig.or(seen, goal);
        let next = copy.aig.and(inside, now);
        copy.aig.set_next(seen, next);
        bad = copy.aig.and(bad, seen);
    }
    copy.finish(bad, Some(save))
}

/// k-liveness (Claessen, Sörensson: A liveness checking algorithm that counts, FMCAD 2012): bad is
/// a frame by which the literals of the justice set and of fairness have all been true, in any
/// order, `k + 1` times one after the other. If that cannot be, they are not true infinitely
/// often; if it can, nothing is known.
///
/// # Panics
/// If there is no justice set at this position.
pub fn k_liveness(aig: &Aig, justice: usize, k: usize) -> Monitored {
    let mut copy = Copied::new(aig);
    let goals: Vec<Lit> = goals(aig, justice).into_iter().map(|l| copy.lit(l)).collect();
    let mut seen = vec![];
    let mut all = Lit::TRUE;
    for goal in goals {
        let latch = copy.aig.latch(Reset::Zero, None);
        let now = copy.aig.or(latch, goal);
        all = copy.aig.and(all, now);
        seen.push((latch, now));
    }
    for (latch, now) in seen {
        let next = copy.aig.and(now, !all);
        copy.aig.set_next(latch, next);
    }
    let mut counted = all;
    for _ in 0..k {
        let latch = copy.aig.latch(Reset::Zero, None);
        let next = copy.aig.or(latch, counted);
        copy.aig.set_next(latch, next);
        counted = copy.aig.and(latch, all);
    }
    copy.finish(counted, None)
}

/// What must be true infinitely often in a violation.
fn goals(aig: &Aig, justice: usize) -> Vec<Lit> {
    let mut goals = aig.justice[justice].value.clone();
    goals.extend(aig.fairness.iter().map(|f| f.value));
    goals.sort();
    goals.dedup();
    goals.retain(|&l| l != Lit::TRUE);
    goals
}

/// A circuit's inputs, latches and ands in a new one.
struct Copied {
    aig: Aig,
    lits: IndexVec<Var, Lit>,
    constraints: Vec<Named<Lit>>,
}

impl Copied {
    fn new(old: &Aig) -> Self {
        let mut aig = Aig::new();
        let mut lits = IndexVec::filled(Lit::FALSE, old.nodes().len());
        for input in old.inputs() {
            lits[input.var] = aig.input(input.name.clone());
        }
        for latch in old.latches() {
            lits[latch.var] = aig.latch(latch.reset, latch.name.clone());
        }
        let new = |lits: &IndexVec<Var, Lit>, l: Lit| lits[l.var()].xor(l.is_negated());
        for (var, &node) in old.nodes().iter_enumerated() {
            if let Node::And(a, b) = node {
                lits[var] = aig.and(new(&lits, a), new(&lits, b));
            }
        }
        for latch in old.latches() {
            aig.set_next(lits[latch.var], new(&lits, latch.next));
        }
        let constraint =
            |c: &Named<Lit>| Named { value: new(&lits, c.value), name: c.name.clone() };
        let constraints = old.constraints.iter().map(constraint).collect();
        Self { aig, lits, constraints }
    }

    fn lit(&self, old: Lit) -> Lit {
        self.lits[old.var()].xor(old.is_negated())
    }

    fn finish(mut self, bad: Lit, save: Option<usize>) -> Monitored {
        self.aig.constraints = self.constraints;
        self.aig.bads.push(Named { value: bad, name: None });
        Monitored { aig: self.aig, save }
    }
}
