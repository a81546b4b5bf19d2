//! The common part of all passes: builds a graph from parts of another one.

use crate::base::IndexVec;

use super::restore::Initial;
use super::{Aig, Lit, Named, Node, Reset, Restore, Var};

/// What becomes of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stays.
    Keep,
    /// Nothing that stays depends on it.
    Drop,
    /// It has this value in every frame.
    Const(bool),
    /// It equals the latch at this position, which stays, complemented if the flag is set.
    Same(usize, bool),
}

/// What a rebuilt graph keeps. Properties that stay depend only on nodes that stay.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// For each input, whether it stays.
    pub inputs: Vec<bool>,
    /// For each latch.
    pub latches: Vec<Fate>,
    /// For each node that is an and, whether it stays.
    pub ands: IndexVec<Var, bool>,
    /// For each node that is an and and stays, the earlier node's literal that stands in for it,
    /// if any.
    pub equal: IndexVec<Var, Option<Lit>>,
    /// Whether plain outputs stay.
    pub outputs: bool,
    /// Positions of the bads that stay.
    pub bads: Vec<usize>,
    /// Positions of the justice sets that stay.
    pub justice: Vec<usize>,
    /// Whether fairness stays.
    pub fairness: bool,
}

impl Plan {
    /// Everything stays.
    pub fn all(aig: &Aig) -> Self {
        Plan {
            inputs: vec![true; aig.inputs().len()],
            latches: vec![Fate::Keep; aig.latches().len()],
            ands: IndexVec::filled(true, aig.nodes().len()),
            equal: IndexVec::filled(None, aig.nodes().len()),
            outputs: true,
            bads: (0..aig.bads.len()).collect(),
            justice: (0..aig.justice.len()).collect(),
            fairness: true,
        }
    }
}

/// The graph of what `plan` keeps: inputs, then latches, then ands, each in the old order.
pub(super) fn rebuild(aig: &Aig, plan: &Plan) -> (Aig, Restore) {
    let mut new = Aig::new();
    let mut lits: IndexVec<Var, Option<Lit>> = IndexVec::filled(None, aig.nodes().len());
    lits[Lit::FALSE.var()] = Some(Lit::FALSE);
    let inputs = keep_inputs(aig, plan, &mut new, &mut lits);
    let latches = keep_latches(aig, plan, &mut new, &mut lits);
    for (var, &node) in aig.nodes().iter_enumerated() {
        if let Node::And(a, b) = node
            && plan.ands[var]
        {
            lits[var] = Some(match plan.equal[var] {
                Some(lit) => kept(&lits, lit),
                None => new.and(kept(&lits, a), kept(&lits, b)),
            });
        }
    }
    for (latch, fate) in aig.latches().iter().zip(&plan.latches) {
        if *fate == Fate::Keep {
            new.set_next(kept(&lits, Lit::new(latch.var, false)), kept(&lits, latch.next));
        }
    }
    let lit = |p: &Named<Lit>| Named { value: kept(&lits, p.value), name: p.name.clone() };
    if plan.outputs {
        new.outputs = aig.outputs.iter().map(lit).collect();
    }
    new.bads = plan.bads.iter().map(|&k| lit(&aig.bads[k])).collect();
    new.constraints = aig.constraints.iter().map(lit).collect();
    if plan.fairness {
        new.fairness = aig.fairness.iter().map(lit).collect();
    }
    for &k in &plan.justice {
        let Named { value, name } = &aig.justice[k];
        let value = value.iter().map(|&l| kept(&lits, l)).collect();
        new.justice.push(Named { value, name: name.clone() });
    }
    new.comments.clone_from(&aig.comments);
    let (bads, justice) = (plan.bads.clone(), plan.justice.clone());
    let (reduced_inputs, reduced_latches) = (new.inputs().len(), new.latches().len());
    let restore = Restore { latches, inputs, lits, bads, justice, reduced_inputs, reduced_latches };
    (new, restore)
}

fn kept(lits: &IndexVec<Var, Option<Lit>>, lit: Lit) -> Lit {
    lits[lit.var()].expect("what stays depends on what stays").xor(lit.is_negated())
}

fn keep_inputs(
    aig: &Aig,
    plan: &Plan,
    new: &mut Aig,
    lits: &mut IndexVec<Var, Option<Lit>>,
) -> Vec<Option<usize>> {
    let mut positions = vec![None; aig.inputs().len()];
    for (k, input) in aig.inputs().iter().enumerate() {
        if plan.inputs[k] {
            positions[k] = Some(new.inputs().len());
            lits[input.var] = Some(new.input(input.name.clone()));
        }
    }
    positions
}

fn keep_latches(
    aig: &Aig,
    plan: &Plan,
    new: &mut Aig,
    lits: &mut IndexVec<Var, Option<Lit>>,
) -> Vec<Initial> {
    let mut positions = vec![0; aig.latches().len()];
    for (k, latch) in aig.latches().iter().enumerate() {
        if plan.latches[k] == Fate::Keep {
            positions[k] = new.latches().len();
            lits[latch.var] = Some(new.latch(latch.reset, latch.name.clone()));
        }
    }
    let mut initial = Vec::with_capacity(aig.latches().len());
    for (k, latch) in aig.latches().iter().enumerate() {
        initial.push(match plan.latches[k] {
            Fate::Keep => Initial::Latch(positions[k], false),
            Fate::Drop => Initial::Value(latch.reset == Reset::One),
            Fate::Const(value) => {
                lits[latch.var] = Some(Lit::from(value));
                Initial::Value(value)
            }
            Fate::Same(other, flip) => {
                lits[latch.var] = lits[aig.latches()[other].var].map(|l| l.xor(flip));
                Initial::Latch(positions[other], flip)
            }
        });
    }
    initial
}
