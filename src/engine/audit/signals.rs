//! Inductive invariants over latches and signals.

use super::invariant::initial_fault;
use super::straight::Straight;
use super::{Audit, Clauses, Fault};
use crate::aig::{Aig, Lit};
use crate::base::Budget;
use crate::sat::{self, Backend};

/// What a certificate says, see `outcome::Certificate::Signals`.
pub(super) struct Claim<'a> {
    pub(super) clauses: &'a Clauses,
    pub(super) equal: &'a [(Lit, Lit)],
}

/// Do the clauses and equalities hold in all legal first frames, are they inductive, and do they
/// exclude the bad states? An audit for each of `bads`.
pub(super) fn check(
    aig: &Aig,
    bads: &[usize],
    claim: &Claim,
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    match holds(aig, claim, backend, budget) {
        Audit::Confirmed => {}
        other => return vec![other; bads.len()],
    }
    let mut frame = claimed(aig, claim, backend);
    bads.iter()
        .map(|&bad| {
            let bad = frame.lit(aig.bads[bad].value);
            frame.never(&[bad], Fault::NotStrong, budget)
        })
        .collect()
}

/// Do the clauses and equalities hold in all legal frames?
fn holds(aig: &Aig, claim: &Claim, backend: Backend, budget: &Budget) -> Audit {
    if let Some(fault) = initial_fault(aig, claim.clauses) {
        return Audit::Refuted(fault);
    }
    let known = |l: Lit| aig.nodes().get(l.var()).is_some();
    if claim.equal.iter().any(|&(a, b)| !known(a) || !known(b)) {
        return Audit::Refuted(Fault::NoSignal);
    }
    let mut first = Straight::initial(aig, backend);
    match equal(&mut first, claim, Fault::NotEqual, budget) {
        Audit::Confirmed => {}
        other => return other,
    }
    let mut frame = claimed(aig, claim, backend);
    frame.advance();
    match equal(&mut frame, claim, Fault::NotInductiveSignals, budget) {
        Audit::Confirmed => {}
        other => return other,
    }
    for (position, clause) in claim.clauses.iter().enumerate() {
        let left = |&(k, value): &(usize, bool)| frame.lit(Lit::new(aig.latches()[k].var, value));
        let left: Vec<sat::Lit> = clause.iter().map(left).collect();
        match frame.never(&left, Fault::NotInductive(position), budget) {
            Audit::Confirmed => {}
            other => return other,
        }
    }
    Audit::Confirmed
}

/// A frame in which the clauses and equalities hold.
fn claimed<'a>(aig: &'a Aig, claim: &Claim, backend: Backend) -> Straight<'a> {
    let mut frame = Straight::anywhere(aig, backend);
    frame.demand_clauses(claim.clauses);
    for &(a, b) in claim.equal {
        frame.demand_equal(a, b);
    }
    frame
}

/// Can no pair differ in the frame? Those that cannot are demanded, for the others' sake.
fn equal(
    frame: &mut Straight,
    claim: &Claim,
    fault: impl Fn(usize) -> Fault,
    budget: &Budget,
) -> Audit {
    for (position, &(a, b)) in claim.equal.iter().enumerate() {
        let (x, y) = (frame.lit(a), frame.lit(b));
        for lits in [[x, !y], [!x, y]] {
            match frame.never(&lits, fault(position), budget) {
                Audit::Confirmed => {}
                other => return other,
            }
        }
        frame.demand_equal(a, b);
    }
    Audit::Confirmed
}
