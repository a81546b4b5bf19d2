//! Replacement of nodes by others that equal them.

use crate::base::IndexVec;

use super::rebuild::{Fate, Plan, rebuild};
use super::{Aig, Lit, Node, Restore, Var};

/// Replaces each node for which there is a literal by that literal, which must equal it in every
/// frame of every run: for a latch a constant or a literal of a latch that stays, for an and a
/// literal of a node that precedes it. Inputs and properties stay.
///
/// # Panics
/// If an and is to be replaced by a later one, or a latch by anything but a constant or latch
/// that stays.
pub fn substitute(aig: &Aig, equal: &IndexVec<Var, Option<Lit>>) -> (Aig, Restore) {
    let mut plan = Plan::all(aig);
    for (fate, latch) in plan.latches.iter_mut().zip(aig.latches()) {
        if let Some(lit) = equal[latch.var] {
            *fate = match aig.node(lit.var()) {
                Node::False => Fate::Const(lit == Lit::TRUE),
                Node::Latch(k) if equal[lit.var()].is_none() => {
                    Fate::Same(k as usize, lit.is_negated())
                }
                _ => panic!("latches are replaced by constants and latches that stay"),
            };
        }
    }
    for (var, &lit) in equal.iter_enumerated() {
        if let (Node::And(..), Some(lit)) = (aig.node(var), lit) {
            assert!(
                !matches!(aig.node(lit.var()), Node::And(..)) || lit.var() < var,
                "ands are replaced by earlier nodes"
            );
            plan.equal[var] = Some(lit);
        }
    }
    rebuild(aig, &plan)
}
