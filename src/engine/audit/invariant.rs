//! Inductive invariants.

use super::straight::Straight;
use super::{Audit, Fault};
use crate::aig::{Aig, Reset};
use crate::base::Budget;
use crate::sat::{self, Backend};

/// Do the clauses over latches hold initially, are they inductive, and do they exclude the bad
/// states? An audit for each of `bads`.
pub(super) fn check(
    aig: &Aig,
    bads: &[usize],
    clauses: &[Vec<(usize, bool)>],
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    if let Some(fault) = initial_fault(aig, clauses) {
        return vec![Audit::Refuted(fault); bads.len()];
    }
    let mut frame = Straight::anywhere(aig, backend);
    frame.demand_clauses(clauses);
    let strong = |&bad: &usize| {
        let bad = frame.lit(aig.bads[bad].value);
        frame.never(&[bad], Fault::NotStrong, budget)
    };
    let mut audits: Vec<Audit> = bads.iter().map(strong).collect();
    if audits.contains(&Audit::Confirmed) {
        let inductive = inductive(&mut frame, aig, clauses, budget);
        for audit in audits.iter_mut().filter(|a| **a == Audit::Confirmed) {
            *audit = inductive.clone();
        }
    }
    audits
}

/// Do the clauses over latches hold initially, and are they inductive?
pub(super) fn holds(
    aig: &Aig,
    clauses: &[Vec<(usize, bool)>],
    backend: Backend,
    budget: &Budget,
) -> Audit {
    if let Some(fault) = initial_fault(aig, clauses) {
        return Audit::Refuted(fault);
    }
    let mut frame = Straight::anywhere(aig, backend);
    frame.demand_clauses(clauses);
    inductive(&mut frame, aig, clauses, budget)
}

/// Why the clauses are none, or do not hold initially.
pub(super) fn initial_fault(aig: &Aig, clauses: &[Vec<(usize, bool)>]) -> Option<Fault> {
    let latches = aig.latches();
    if let Some(&(latch, _)) = clauses.iter().flatten().find(|(k, _)| *k >= latches.len()) {
        return Some(Fault::NoLatch(latch));
    }
    let initially = |clause: &Vec<(usize, bool)>| {
        clause.iter().any(|&(k, value)| match latches[k].reset {
            Reset::Zero => !value,
            Reset::One => value,
            Reset::Free => clause.contains(&(k, !value)),
        })
    };
    clauses.iter().position(|c| !initially(c)).map(Fault::NotInitial)
}

/// Do the clauses, which are demanded in the frame, hold after it?
fn inductive(
    frame: &mut Straight,
    aig: &Aig,
    clauses: &[Vec<(usize, bool)>],
    budget: &Budget,
) -> Audit {
    for (position, clause) in clauses.iter().enumerate() {
        let left = clause.iter().map(|&(k, value)| frame.lit(aig.latches()[k].next.xor(value)));
        let left: Vec<sat::Lit> = left.collect();
        match frame.never(&left, Fault::NotInductive(position), budget) {
            Audit::Confirmed => {}
            other => return other,
        }
    }
    Audit::Confirmed
}
