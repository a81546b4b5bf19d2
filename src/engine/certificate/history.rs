//! Latches that remember frames.

use super::build::{Witness, copy};
use crate::aig::{Aig, Lit, Reset, Var};
use crate::base::IndexVec;
use crate::engine::unroll::cone;

/// A remembered frame.
struct Past {
    /// Whether there was such a frame.
    valid: Lit,
    latches: Vec<Lit>,
    /// What each node of the problem's circuit was.
    lits: IndexVec<Var, Lit>,
}

/// The last frames that moved, the latest first.
///
/// The invariant says of them that they are the end of a good run of moves which leads to the
/// present state, and that the run begins in an initial state if it is shorter than the memory.
/// So it is k-inductive properties that become inductive, and properties that hold as long as runs
/// last.
pub(super) struct History {
    past: Vec<Past>,
    /// Positions of the latches that matter.
    latches: Vec<usize>,
}

impl History {
    /// Adds a memory of `frames` frames to the witness; if `ends`, there never are more. The
    /// clauses over latches hold in all states.
    pub(super) fn add(
        witness: &mut Witness,
        frames: usize,
        ends: bool,
        clauses: &[Vec<(usize, bool)>],
    ) {
        let aig = witness.problem.aig;
        let live = cone(aig, &witness.problem.roots());
        let latches = (0..aig.latches().len()).filter(|&k| live[aig.latches()[k].var]).collect();
        let moved = witness.problem.moved.map_or(Lit::TRUE, |m| witness.lit(m));
        let mut history = Self { past: vec![], latches };
        let mut before = (Lit::TRUE, witness.inputs.clone(), witness.latches.clone());
        for _ in 0..frames {
            let (valid, inputs, latches) = &before;
            let graph = &mut witness.graph;
            let valid = remember(graph, moved, *valid);
            let memory = |graph: &mut Aig, lits: &[Lit], live: &dyn Fn(usize) -> bool| {
                let all = lits.iter().enumerate();
                all.map(|(k, &l)| if live(k) { remember(graph, moved, l) } else { Lit::FALSE })
                    .collect::<Vec<_>>()
            };
            let inputs = memory(graph, inputs, &|k| live[aig.inputs()[k].var]);
            let latches = memory(graph, latches, &|k| live[aig.latches()[k].var]);
            let lits = copy(graph, aig, &inputs, &latches);
            before = (valid, inputs, latches.clone());
            history.past.push(Past { valid, latches, lits });
        }
        let more = if ends { Some(remember(&mut witness.graph, moved, before.0)) } else { None };
        history.demand(witness, clauses, more);
    }

    /// Adds what holds of the memory to the invariant. `more` tells whether the run was longer,
    /// which it never is.
    fn demand(&self, witness: &mut Witness, clauses: &[Vec<(usize, bool)>], more: Option<Lit>) {
        let mut after = (Lit::TRUE, witness.latches.clone());
        for past in &self.past {
            let proper = self.proper(witness, past, &after.1, clauses);
            let begins = self.is_initial(witness, &after.1);
            let graph = &mut witness.graph;
            // Valid if the one after is; and where the run begins, it begins with a reset.
            let ordered = graph.or(!past.valid, after.0);
            let proper = graph.or(!past.valid, proper);
            let begun = [past.valid, !after.0, begins];
            let begun = graph.or_all(begun);
            witness.invariant.extend([ordered, proper, begun]);
            after = (past.valid, past.latches.clone());
        }
        if let Some(more) = more {
            let begins = self.is_initial(witness, &after.1);
            let begun = witness.graph.or(!after.0, begins);
            witness.invariant.extend([!more, begun]);
        }
    }

    /// Whether the frame is a good one that moves, and leads to the state `after`.
    fn proper(
        &self,
        witness: &mut Witness,
        past: &Past,
        after: &[Lit],
        clauses: &[Vec<(usize, bool)>],
    ) -> Lit {
        let problem = witness.problem;
        let aig = problem.aig;
        let lit = |l: Lit| past.lits[l.var()].xor(l.is_negated());
        let mut all: Vec<Lit> = aig.constraints.iter().map(|c| lit(c.value)).collect();
        all.extend(problem.moved.map(lit));
        all.push(!lit(aig.bads[witness.bad].value));
        let graph = &mut witness.graph;
        for &k in &self.latches {
            all.push(!graph.xor(lit(aig.latches()[k].next), after[k]));
        }
        for clause in clauses.iter().filter(|c| c.iter().all(|(k, _)| self.latches.contains(k))) {
            let lits = clause.iter().map(|&(k, value)| past.latches[k].xor(!value));
            all.push(graph.or_all(lits));
        }
        graph.and_all(all)
    }

    /// Whether the latches that matter have their reset values in this state.
    fn is_initial(&self, witness: &mut Witness, state: &[Lit]) -> Lit {
        let latches = witness.problem.aig.latches();
        let reset = |&k: &usize| match latches[k].reset {
            Reset::Zero => Some(!state[k]),
            Reset::One => Some(state[k]),
            Reset::Free => None,
        };
        let values: Vec<Lit> = self.latches.iter().filter_map(reset).collect();
        witness.graph.and_all(values)
    }
}

/// A latch with the value that the literal had when a frame last moved; false before.
fn remember(graph: &mut Aig, moved: Lit, lit: Lit) -> Lit {
    let latch = graph.latch(Reset::Zero, None);
    let next = graph.ite(moved, lit, latch);
    graph.set_next(latch, next);
    latch
}
