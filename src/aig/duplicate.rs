//! Removal of latches that always equal another one or its complement, by partition refinement:
//! the coarsest partition of the latches with known reset, each read as "differs from its reset
//! value", in which members of one class have the same next state after each class has been
//! replaced by its first member (after van Eijk, IEEE Transactions on CAD 19(7), 2000, with
//! structural hashing in place of a proof).

use crate::base::{Budget, HashMap, Id, IndexVec, Rng};

use super::rebuild::{Fate, Plan, rebuild};
use super::{Aig, Lit, Node, Reset, Restore, Simulator, Var};

/// Replaces duplicate latches by the first one of their class. Inputs, properties and all other
/// latches stay. When the budget ends first, the graph stays as it is.
pub fn remove_duplicate_latches(aig: &Aig, budget: &Budget) -> (Aig, Restore) {
    let mut plan = Plan::all(aig);
    if let Some(classes) = refine(aig, budget) {
        let mut firsts = HashMap::default();
        for (k, class) in classes.iter().enumerate() {
            let first = *firsts.entry(class).or_insert(k);
            if first != k {
                plan.latches[k] = Fate::Same(first, starts_true(aig, first) != starts_true(aig, k));
            }
        }
    }
    rebuild(aig, &plan)
}

fn starts_true(aig: &Aig, latch: usize) -> bool {
    aig.latches()[latch].reset == Reset::One
}

/// The class of each latch; `None` if the budget ended.
fn refine(aig: &Aig, budget: &Budget) -> Option<Vec<usize>> {
    let mut classes = by_simulation(aig);
    let mut count = classes.iter().max().map_or(0, |c| c + 1);
    loop {
        if budget.check().is_some() {
            return None;
        }
        let next = next_states(aig, &classes);
        classes = number(classes.into_iter().zip(next));
        let refined = classes.iter().max().map_or(0, |c| c + 1);
        if refined == count {
            return Some(classes);
        }
        count = refined;
    }
}

/// Numbers equal keys alike, in the order of their first appearance.
fn number<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut numbers = HashMap::default();
    keys.map(|key| {
        let fresh = numbers.len();
        *numbers.entry(key).or_insert(fresh)
    })
    .collect()
}

/// A first partition: latches that differ in a random run are apart. It only saves rounds.
fn by_simulation(aig: &Aig) -> Vec<usize> {
    const FRAMES: usize = 16;
    let mut rng = Rng::new(0);
    let mut sim = Simulator::random(aig, &mut rng);
    let mut classes: Vec<usize> = number((0..aig.latches().len()).map(|k| {
        // A free latch equals no other one in the first frame.
        if aig.latches()[k].reset == Reset::Free { Some(k) } else { None }
    }));
    for _ in 0..FRAMES {
        let inputs: Vec<u64> = aig.inputs().iter().map(|_| rng.next_u64()).collect();
        sim.eval(&inputs);
        sim.advance();
        let differs = |k: usize| if starts_true(aig, k) { !sim.state()[k] } else { sim.state()[k] };
        classes = number(classes.iter().enumerate().map(|(k, class)| (*class, differs(k))));
    }
    classes
}

/// Each latch's next state, relative to its reset value, in a graph where each class is one
/// free variable; anything for a latch that is alone in its class.
fn next_states(aig: &Aig, classes: &[usize]) -> Vec<Lit> {
    let wanted = wanted(aig, classes);
    let mut graph = Aig::new();
    let mut variables: HashMap<usize, Lit> = HashMap::default();
    let mut lits: IndexVec<Var, Lit> = IndexVec::filled(Lit::FALSE, aig.nodes().len());
    let map = |lits: &IndexVec<Var, Lit>, l: Lit| lits[l.var()].xor(l.is_negated());
    for (var, &node) in aig.nodes().iter_enumerated() {
        if !wanted[var] {
            continue;
        }
        lits[var] = match node {
            Node::False => Lit::FALSE,
            Node::Input(_) => graph.input(None),
            Node::Latch(k) => {
                let k = k as usize;
                let variable = variables.entry(classes[k]).or_insert_with(|| graph.input(None));
                variable.xor(starts_true(aig, k))
            }
            Node::And(a, b) => graph.and(map(&lits, a), map(&lits, b)),
        };
    }
    let next = |k: usize| map(&lits, aig.latches()[k].next).xor(starts_true(aig, k));
    (0..aig.latches().len()).map(next).collect()
}

/// The nodes that the next states of latches with others in their class depend on.
fn wanted(aig: &Aig, classes: &[usize]) -> IndexVec<Var, bool> {
    let mut members = vec![0u32; classes.len()];
    for &class in classes {
        members[class] += 1;
    }
    let mut wanted = IndexVec::filled(false, aig.nodes().len());
    for (latch, &class) in aig.latches().iter().zip(classes) {
        wanted[latch.next.var()] |= members[class] > 1;
    }
    // The operands of a node come before it.
    for var in (0..aig.nodes().len()).rev().map(Var::new) {
        if let Node::And(a, b) = aig.nodes()[var]
            && wanted[var]
        {
            wanted[a.var()] = true;
            wanted[b.var()] = true;
        }
    }
    wanted
}
