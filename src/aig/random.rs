//! Random graphs and a reference for reachability: for tests and fuzzing only.

use crate::base::{HashSet, Rng};

use super::{Aig, Lit, Named, Reset, run};

/// Sizes and features of a random graph; the counts are upper bounds for ands, exact otherwise.
#[derive(Clone, Debug)]
pub struct RandomOptions {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of latches.
    pub latches: usize,
    /// Number of ands that are asked for; hashing and folding may leave fewer.
    pub ands: usize,
    /// Number of plain outputs.
    pub outputs: usize,
    /// Number of bads.
    pub bads: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of justice sets, each of 1 to 3 literals.
    pub justice: usize,
    /// Number of fairness literals.
    pub fairness: usize,
    /// Each latch has one of these resets; the list is not empty.
    pub resets: &'static [Reset],
    /// Whether about half of everything gets a name, and there are comments.
    pub names: bool,
}

impl RandomOptions {
    /// A tiny graph with one bad and no other property, as engines' tests want it.
    pub fn tiny() -> Self {
        RandomOptions {
            inputs: 2,
            latches: 4,
            ands: 15,
            outputs: 0,
            bads: 1,
            constraints: 0,
            justice: 0,
            fairness: 0,
            resets: &[Reset::Zero, Reset::Zero, Reset::One],
            names: false,
        }
    }

    /// Up to `size` inputs, latches and properties of every kind, and all other features.
    pub fn everything(rng: &mut Rng, size: usize) -> Self {
        let mut upto = |n: usize| rng.below(n + 1);
        RandomOptions {
            inputs: upto(size),
            latches: upto(size),
            ands: upto(5 * size),
            outputs: upto(size / 2),
            bads: upto(size / 2),
            constraints: upto(size / 4),
            justice: upto(size / 3),
            fairness: upto(size / 3),
            resets: &ALL_RESETS,
            names: true,
        }
    }
}

/// Every reset, 0 twice as often as the others.
pub const ALL_RESETS: [Reset; 4] = [Reset::Zero, Reset::Zero, Reset::One, Reset::Free];

/// A random graph. Inputs, latches and ands are mixed in order; some latches never change and
/// some equal others or their complements.
pub fn random_aig(rng: &mut Rng, options: &RandomOptions) -> Aig {
    let mut aig = Aig::new();
    let mut lits = vec![Lit::FALSE];
    let mut latches = Vec::new();
    let (mut inputs, mut states, mut ands) = (options.inputs, options.latches, options.ands);
    while inputs + states + ands > 0 {
        let at = rng.below(inputs + states + ands);
        let name = (options.names && rng.one_in(2)).then(|| format!("node {} <~>", lits.len()));
        let lit = if at < inputs {
            inputs -= 1;
            aig.input(name)
        } else if at < inputs + states {
            states -= 1;
            let latch = aig.latch(*rng.pick(options.resets), name);
            latches.push(latch);
            latch
        } else {
            ands -= 1;
            let (a, b) = (any(rng, &lits), any(rng, &lits));
            aig.and(a, b)
        };
        lits.push(lit);
    }
    set_next_states(rng, &mut aig, &latches, &lits);
    aig.outputs = properties(rng, options, options.outputs, "out", |rng| any(rng, &lits));
    aig.bads = properties(rng, options, options.bads, "bad", |rng| any(rng, &lits));
    aig.constraints = properties(rng, options, options.constraints, "", |rng| any(rng, &lits));
    aig.justice = properties(rng, options, options.justice, "just", |rng| {
        (0..1 + rng.below(3)).map(|_| any(rng, &lits)).collect()
    });
    aig.fairness = properties(rng, options, options.fairness, "fair", |rng| any(rng, &lits));
    if options.names {
        aig.comments = (0..rng.below(3)).map(|k| format!("comment {k}")).collect();
    }
    aig
}

/// A literal, more often of one of the last nodes.
fn any(rng: &mut Rng, lits: &[Lit]) -> Lit {
    let recent = rng.one_in(2) && lits.len() > 8;
    let from = if recent { lits.len() - 8 } else { 0 };
    rng.pick(&lits[from..]).xor(rng.one_in(2))
}

fn set_next_states(rng: &mut Rng, aig: &mut Aig, latches: &[Lit], lits: &[Lit]) {
    for (k, &latch) in latches.iter().enumerate() {
        let next = match rng.below(8) {
            // It keeps its value.
            0 => latch,
            // It may equal an earlier latch, or its complement.
            1 | 2 if k > 0 => {
                let other = &aig.latches()[rng.below(k)];
                other.next.xor(other.reset != aig.latches()[k].reset)
            }
            _ => any(rng, lits),
        };
        aig.set_next(latch, next);
    }
}

fn properties<T>(
    rng: &mut Rng,
    options: &RandomOptions,
    count: usize,
    prefix: &str,
    value: impl Fn(&mut Rng) -> T,
) -> Vec<Named<T>> {
    let mut list = Vec::with_capacity(count);
    for k in 0..count {
        let name = (options.names && rng.one_in(2)).then(|| format!("{prefix} {k}"));
        list.push(Named { value: value(rng), name });
    }
    list
}

/// Values of the latches that their resets allow; free ones are random.
pub fn random_initial(rng: &mut Rng, aig: &Aig) -> Vec<bool> {
    let value = |reset| match reset {
        Reset::Zero => false,
        Reset::One => true,
        Reset::Free => rng.one_in(2),
    };
    aig.latches().iter().map(|l| l.reset).map(value).collect()
}

/// Random input vectors for `frames` frames.
pub fn random_inputs(rng: &mut Rng, aig: &Aig, frames: usize) -> Vec<Vec<bool>> {
    let count = aig.inputs().len();
    (0..frames).map(|_| (0..count).map(|_| rng.one_in(2)).collect()).collect()
}

/// For each bad, the number of moves of the shortest run that reaches it with all constraints
/// true in all frames: breadth-first search over all states and inputs, in full.
///
/// # Panics
/// If the graph has more than 16 inputs or more than 16 latches.
pub fn shortest_violations(aig: &Aig) -> Vec<Option<usize>> {
    let (inputs, latches) = (aig.inputs().len(), aig.latches().len());
    assert!(inputs <= 16 && latches <= 16, "only tiny graphs can be enumerated");
    let bits =
        |word: usize, n: usize| -> Vec<bool> { (0..n).map(|k| word >> k & 1 == 1).collect() };
    let mut found = vec![None; aig.bads.len()];
    let mut layer: Vec<Vec<bool>> = (0..1usize << latches)
        .map(|word| bits(word, latches))
        .filter(|state| aig.bad_reset(state).is_none())
        .collect();
    let mut seen: HashSet<Vec<bool>> = layer.iter().cloned().collect();
    for depth in 0.. {
        let mut next_layer = Vec::new();
        for state in &layer {
            for word in 0..1usize << inputs {
                let vector = bits(word, inputs);
                let frames = run(aig, state, &[vector.clone(), vector]);
                if !frames[0].legal() {
                    continue;
                }
                for (slot, _) in found.iter_mut().zip(&frames[0].bads).filter(|(_, bad)| **bad) {
                    slot.get_or_insert(depth);
                }
                if seen.insert(frames[1].latches.clone()) {
                    next_layer.push(frames[1].latches.clone());
                }
            }
        }
        if next_layer.is_empty() {
            break;
        }
        layer = next_layer;
    }
    found
}
