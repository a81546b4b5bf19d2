//! Cone of influence, and removal of dead ands.

use crate::base::IndexVec;

use super::rebuild::{Fate, Plan, rebuild};
use super::{Aig, Lit, Named, Node, Restore, Var};

/// What a cone of influence is of, always together with all constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// All bads, justice sets and fairness.
    Properties,
    /// These, and the plain outputs.
    PropertiesAndOutputs,
    /// The bad at this position; no other property stays.
    Bad(usize),
    /// The justice set at this position, and fairness; no other property stays.
    Justice(usize),
}

/// Keeps what the roots depend on, over any number of frames.
///
/// # Panics
/// If there is no property at the roots' position.
pub fn cone(aig: &Aig, roots: Roots) -> (Aig, Restore) {
    let mut plan = Plan::all(aig);
    match roots {
        Roots::PropertiesAndOutputs => {}
        Roots::Properties => plan.outputs = false,
        Roots::Bad(k) => {
            plan.outputs = false;
            plan.bads = vec![k];
            plan.justice.clear();
            plan.fairness = false;
        }
        Roots::Justice(k) => {
            plan.outputs = false;
            plan.bads.clear();
            plan.justice = vec![k];
        }
    }
    let live = mark(aig, property_lits(aig, &plan));
    for (keep, input) in plan.inputs.iter_mut().zip(aig.inputs()) {
        *keep = live[input.var];
    }
    for (fate, latch) in plan.latches.iter_mut().zip(aig.latches()) {
        *fate = if live[latch.var] { Fate::Keep } else { Fate::Drop };
    }
    plan.ands = live;
    rebuild(aig, &plan)
}

/// Removes the ands that no latch and no property depends on; nodes get [`reorder`]'s order.
pub fn compact(aig: &Aig) -> (Aig, Restore) {
    let mut plan = Plan::all(aig);
    let mut lits = property_lits(aig, &plan);
    lits.extend(aig.latches().iter().map(|l| l.next));
    plan.ands = mark(aig, lits);
    rebuild(aig, &plan)
}

/// The same graph in the order that binary AIGER wants: inputs, latches, ands.
pub fn reorder(aig: &Aig) -> (Aig, Restore) {
    rebuild(aig, &Plan::all(aig))
}

fn property_lits(aig: &Aig, plan: &Plan) -> Vec<Lit> {
    let mut lits = Vec::new();
    let mut add = |list: &[Named<Lit>]| lits.extend(list.iter().map(|p| p.value));
    add(&aig.constraints);
    if plan.outputs {
        add(&aig.outputs);
    }
    if plan.fairness {
        add(&aig.fairness);
    }
    lits.extend(plan.bads.iter().map(|&k| aig.bads[k].value));
    lits.extend(plan.justice.iter().flat_map(|&k| &aig.justice[k].value));
    lits
}

/// The nodes that the literals depend on, over any number of frames.
pub(super) fn mark(aig: &Aig, mut open: Vec<Lit>) -> IndexVec<Var, bool> {
    let mut live = IndexVec::filled(false, aig.nodes().len());
    while let Some(lit) = open.pop() {
        if std::mem::replace(&mut live[lit.var()], true) {
            continue;
        }
        match aig.node(lit.var()) {
            Node::False | Node::Input(_) => {}
            Node::Latch(k) => open.push(aig.latches()[k as usize].next),
            Node::And(a, b) => open.extend([a, b]),
        }
    }
    live
}
