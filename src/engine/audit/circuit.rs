//! Inductive invariants as circuits.

use super::straight::Straight;
use super::{Audit, Fault};
use crate::aig::{Aig, Lit};
use crate::base::Budget;
use crate::sat::Backend;

/// Is the first output of the circuit `invariant` over the latches true initially and inductive,
/// and does it exclude the bad states at the positions `bads`? An audit for each of them.
pub(super) fn check(
    aig: &Aig,
    bads: &[usize],
    invariant: &Aig,
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    let fits = invariant.inputs().len() == aig.latches().len()
        && invariant.latches().is_empty()
        && !invariant.outputs.is_empty();
    if !fits {
        return vec![Audit::Refuted(Fault::InvariantShape); bads.len()];
    }
    let now: Vec<Lit> = aig.latches().iter().map(|l| Lit::new(l.var, false)).collect();
    let next: Vec<Lit> = aig.latches().iter().map(|l| l.next).collect();

    let mut first = Straight::initial(aig, backend);
    let holds = first.output(invariant, &now);
    let initial = first.never(&[!holds], Fault::InvariantNotInitial, budget);
    if initial != Audit::Confirmed {
        return vec![initial; bads.len()];
    }
    let mut frame = Straight::anywhere(aig, backend);
    let before = frame.output(invariant, &now);
    frame.assert(before);
    let after = frame.output(invariant, &next);
    let inductive = frame.never(&[!after], Fault::InvariantNotInductive, budget);
    if inductive != Audit::Confirmed {
        return vec![inductive; bads.len()];
    }
    let strong = |&bad: &usize| {
        let bad = frame.lit(aig.bads[bad].value);
        frame.never(&[bad], Fault::NotStrong, budget)
    };
    bads.iter().map(strong).collect()
}
