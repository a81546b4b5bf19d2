//! Inductive invariants.

use super::straight::Straight;
use super::{Audit, Fault};
use crate::aig::{Aig, Lit, Reset};
use crate::base::Budget;
use crate::sat::{self, Answer, Backend};

/// Do the clauses over latches hold initially, are they inductive, and do they exclude bad states?
pub(super) fn check(
    aig: &Aig,
    bad: usize,
    clauses: &[Vec<(usize, bool)>],
    backend: Backend,
    budget: &Budget,
) -> Audit {
    let latches = aig.latches();
    if let Some(&(latch, _)) = clauses.iter().flatten().find(|(k, _)| *k >= latches.len()) {
        return Audit::Refuted(Fault::NoLatch(latch));
    }
    let initially = |clause: &Vec<(usize, bool)>| {
        clause.iter().any(|&(k, value)| match latches[k].reset {
            Reset::Zero => !value,
            Reset::One => value,
            Reset::Free => clause.contains(&(k, !value)),
        })
    };
    if let Some(clause) = clauses.iter().position(|c| !initially(c)) {
        return Audit::Refuted(Fault::NotInitial(clause));
    }
    let mut frame = Straight::anywhere(aig, backend);
    for clause in clauses {
        let now = |&(k, value): &(usize, bool)| Lit::new(latches[k].var, !value);
        frame.demand_any(&clause.iter().map(now).collect::<Vec<_>>());
    }
    let never = |frame: &mut Straight, lits: &[sat::Lit], fault| match frame.ask(lits, budget) {
        Answer::Sat => Audit::Refuted(fault),
        Answer::Unsat => Audit::Confirmed,
        Answer::Unknown(stop) => Audit::NotDone(stop),
    };
    let bad = frame.lit(aig.bads[bad].value);
    let mut audit = never(&mut frame, &[bad], Fault::NotStrong);
    for (position, clause) in clauses.iter().enumerate() {
        if audit != Audit::Confirmed {
            break;
        }
        let left = clause.iter().map(|&(k, value)| frame.lit(latches[k].next.xor(value)));
        let left: Vec<sat::Lit> = left.collect();
        audit = never(&mut frame, &left, Fault::NotInductive(position));
    }
    audit
}
