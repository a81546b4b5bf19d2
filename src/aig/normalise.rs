//! A form of the graph that readers of the AIGER dialects of old understand: every reset is 0, no
//! latch is uninitialised, there are no constraints. ABC, for one, takes latches without reset
//! for 0 and constraints for further outputs.

use crate::base::IndexVec;

use super::restore::Initial;
use super::{Aig, Lit, Named, Node, Reset, Restore, Var};

/// The graph with the same violations and these changes:
///
/// - A latch with reset 1 stores its complement.
/// - A latch without reset takes its first value from an input of its own, `NAME.init`, chosen
///   by a latch `started`, which is false in the first frame only.
/// - Constraints are gone: a latch `violated` tells whether one was false before, and a bad, or
///   a literal of a justice set, counts only while none is or was.
///
/// The original's inputs and latches stand first, in their order, and nothing else is changed;
/// [`cone`](super::cone()) of one property makes a small file of it. The `Restore` maps every
/// literal of the original (a bad's to what it was before it was gated).
pub fn normalise(aig: &Aig) -> (Aig, Restore) {
    let mut new = Aig::new();
    let mut lits: IndexVec<Var, Option<Lit>> = IndexVec::filled(None, aig.nodes().len());
    lits[Lit::FALSE.var()] = Some(Lit::FALSE);
    for input in aig.inputs() {
        lits[input.var] = Some(new.input(input.name.clone()));
    }
    let (latches, stored) = latches(aig, &mut new, &mut lits);
    let lit = |lits: &IndexVec<Var, Option<Lit>>, l: Lit| {
        lits[l.var()].expect("operands precede their users").xor(l.is_negated())
    };
    for (var, &node) in aig.nodes().iter_enumerated() {
        if let Node::And(a, b) = node {
            lits[var] = Some(new.and(lit(&lits, a), lit(&lits, b)));
        }
    }
    let lit = |l: Lit| lit(&lits, l);
    for (latch, &(stored, flip)) in aig.latches().iter().zip(&stored) {
        new.set_next(stored, lit(latch.next).xor(flip));
    }
    let one = |p: &Named<Lit>| Named { value: lit(p.value), name: p.name.clone() };
    let set = |p: &Named<Vec<Lit>>| Named {
        value: p.value.iter().map(|&l| lit(l)).collect(),
        name: p.name.clone(),
    };
    new.outputs = aig.outputs.iter().map(one).collect();
    new.bads = aig.bads.iter().map(one).collect();
    new.fairness = aig.fairness.iter().map(one).collect();
    new.justice = aig.justice.iter().map(set).collect();
    new.comments.clone_from(&aig.comments);
    if !aig.constraints.is_empty() {
        let constraints: Vec<Lit> = aig.constraints.iter().map(|c| lit(c.value)).collect();
        gate(&mut new, constraints);
    }
    let restore = Restore {
        latches,
        inputs: (0..aig.inputs().len()).map(Some).collect(),
        bads: (0..aig.bads.len()).collect(),
        justice: (0..aig.justice.len()).collect(),
        reduced_inputs: new.inputs().len(),
        reduced_latches: new.latches().len(),
        lits,
    };
    (new, restore)
}

/// Adds the latches and defines their literals. Returns where first values come from, and each
/// latch's literal with whether it stores the complement.
fn latches(
    aig: &Aig,
    new: &mut Aig,
    lits: &mut IndexVec<Var, Option<Lit>>,
) -> (Vec<Initial>, Vec<(Lit, bool)>) {
    let mut stored = vec![];
    let mut initial = vec![];
    let mut chosen = vec![];
    for (k, latch) in aig.latches().iter().enumerate() {
        let flip = latch.reset == Reset::One;
        let lit = new.latch(Reset::Zero, latch.name.clone());
        stored.push((lit, flip));
        if latch.reset == Reset::Free {
            let name = latch.name.as_ref().map(|name| format!("{name}.init"));
            initial.push(Initial::Input(new.inputs().len(), false));
            chosen.push((latch.var, lit, new.input(name)));
        } else {
            initial.push(Initial::Latch(k, flip));
            lits[latch.var] = Some(lit.xor(flip));
        }
    }
    if !chosen.is_empty() {
        let started = new.latch(Reset::Zero, Some("started".into()));
        new.set_next(started, Lit::TRUE);
        for (var, lit, first) in chosen {
            lits[var] = Some(new.ite(started, lit, first));
        }
    }
    (initial, stored)
}

/// Makes properties count only as long as the constraints hold.
fn gate(aig: &mut Aig, constraints: Vec<Lit>) {
    let violated = aig.latch(Reset::Zero, Some("violated".into()));
    let holds = aig.and_all(constraints);
    let legal = aig.and(!violated, holds);
    aig.set_next(violated, !legal);
    for k in 0..aig.bads.len() {
        aig.bads[k].value = aig.and(aig.bads[k].value, legal);
    }
    aig.justice.iter_mut().for_each(|set| set.value.push(legal));
}
