//! Restructuring of ands: each node is seen as a function of up to four others, the cheapest
//! choice of such functions that covers the graph is looked for as in technology mapping, and the
//! functions are built anew (Eén, Mishchenko, Sörensson: Applying logic synthesis for speeding up
//! SAT, SAT 2007; area flow after Manohararajah, Brown, Vranesic, IEEE Transactions on CAD 25(11),
//! 2006). Latches and inputs stay as they are.

mod cuts;
mod function;

use super::restore::Initial;
use super::{Aig, Lit, Named, Node, Restore, Var, compact};
use crate::base::{Budget, IndexVec};
use cuts::Cover;
use function::Functions;

/// Rounds of [`remap`] at most.
const ROUNDS: usize = 4;

/// The graph with fewer ands, if they are found. [`Restore::lit`] of the result knows only what
/// inputs, latches and properties are; ands in between may be gone.
pub fn remap(aig: &Aig, budget: &Budget) -> (Aig, Restore) {
    let (mut best, mut restore) = compact(aig);
    let mut functions = Functions::default();
    for _ in 0..ROUNDS {
        let (next, there) = cover(&best, &mut functions);
        let (next, dead) = compact(&next);
        if next.num_ands() >= best.num_ands() {
            break;
        }
        restore = restore.then(&there).then(&dead);
        best = next;
        if budget.check().is_some() {
            break;
        }
    }
    (best, restore)
}

/// The graph, built from the best functions.
fn cover(aig: &Aig, functions: &mut Functions) -> (Aig, Restore) {
    let cover = Cover::new(aig, functions);
    let mut new = Aig::new();
    let mut lits: IndexVec<Var, Option<Lit>> = IndexVec::filled(None, aig.nodes().len());
    for input in aig.inputs() {
        lits[input.var] = Some(new.input(input.name.clone()));
    }
    for latch in aig.latches() {
        lits[latch.var] = Some(new.latch(latch.reset, latch.name.clone()));
    }
    for (var, &node) in aig.nodes().iter_enumerated() {
        match node {
            Node::False => lits[var] = Some(Lit::FALSE),
            Node::And(..) if cover.needed[var] => {
                let cut = &cover.best[var];
                let mut leaves = [Lit::FALSE; 4];
                for (lit, leaf) in leaves.iter_mut().zip(&cut.leaves) {
                    *lit = lits[*leaf].expect("leaves of needed nodes are needed and come first");
                }
                lits[var] = Some(functions.build(&mut new, cut.table, &leaves));
            }
            _ => {}
        }
    }
    let lit = |l: Lit| lits[l.var()].expect("roots are needed").xor(l.is_negated());
    let named = |list: &[Named<Lit>]| -> Vec<Named<Lit>> {
        list.iter().map(|p| Named { value: lit(p.value), name: p.name.clone() }).collect()
    };
    for latch in aig.latches() {
        new.set_next(lit(Lit::new(latch.var, false)), lit(latch.next));
    }
    new.outputs = named(&aig.outputs);
    new.bads = named(&aig.bads);
    new.constraints = named(&aig.constraints);
    new.fairness = named(&aig.fairness);
    let justice = aig.justice.iter().map(|set| Named {
        value: set.value.iter().map(|&l| lit(l)).collect(),
        name: set.name.clone(),
    });
    new.justice = justice.collect();
    new.comments.clone_from(&aig.comments);
    let restore = Restore {
        latches: (0..aig.latches().len()).map(|k| Initial::Latch(k, false)).collect(),
        inputs: (0..aig.inputs().len()).map(Some).collect(),
        lits,
        bads: (0..aig.bads.len()).collect(),
        justice: (0..aig.justice.len()).collect(),
        reduced_inputs: aig.inputs().len(),
        reduced_latches: aig.latches().len(),
    };
    (new, restore)
}
