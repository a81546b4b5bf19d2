//! The way back from a graph that a pass made.

use crate::base::IndexVec;

use super::{Lit, Var};

/// Where the first value of a latch of the original graph comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    /// This value will do.
    Value(bool),
    /// The reduced graph's latch at this position, complemented if the flag is set.
    Latch(usize, bool),
    /// The first value of the reduced graph's input at this position, complemented if the flag
    /// is set.
    Input(usize, bool),
}

/// Relates an original graph and a reduced one: literals of the original map forward, runs and
/// positions of properties of the reduced graph map back. [`Restore::then`] composes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restore {
    /// For each original latch.
    pub(super) latches: Vec<Initial>,
    /// For each original input, its position in the reduced graph.
    pub(super) inputs: Vec<Option<usize>>,
    /// For each original node, its literal in the reduced graph.
    pub(super) lits: IndexVec<Var, Option<Lit>>,
    /// For each bad of the reduced graph, its position in the original.
    pub(super) bads: Vec<usize>,
    /// For each justice set of the reduced graph, its position in the original.
    pub(super) justice: Vec<usize>,
    /// Number of inputs of the reduced graph.
    pub(super) reduced_inputs: usize,
    /// Number of latches of the reduced graph.
    pub(super) reduced_latches: usize,
}

impl Restore {
    /// The reduced graph's literal for the original's, `None` if it is gone.
    pub fn lit(&self, original: Lit) -> Option<Lit> {
        self.lits[original.var()].map(|l| l.xor(original.is_negated()))
    }

    /// For each latch of the reduced graph, the original's latch (position) that it is. `None`
    /// where it is none, or a complement.
    pub fn original_latches(&self) -> Vec<Option<usize>> {
        let mut positions = vec![None; self.reduced_latches];
        for (position, from) in self.latches.iter().enumerate().rev() {
            if let Initial::Latch(k, false) = *from {
                positions[k] = Some(position);
            }
        }
        positions
    }

    /// The original's position of the bad at this position of the reduced graph.
    ///
    /// # Panics
    /// If the reduced graph has no such bad.
    pub fn bad(&self, reduced: usize) -> usize {
        self.bads[reduced]
    }

    /// The original's position of the justice set at this position of the reduced graph.
    ///
    /// # Panics
    /// If the reduced graph has no such set.
    pub fn justice(&self, reduced: usize) -> usize {
        self.justice[reduced]
    }

    /// A run of the original graph (latch values at the start, input vectors) that agrees with
    /// this run of the reduced one on all that [`Restore::lit`] maps. What is gone starts with
    /// its reset value, or is false.
    ///
    /// # Panics
    /// If `initial` or an input vector is not one of the reduced graph, or there is none.
    pub fn run(&self, initial: &[bool], inputs: &[Vec<bool>]) -> (Vec<bool>, Vec<Vec<bool>>) {
        let latch = |from: &Initial| match *from {
            Initial::Value(value) => value,
            Initial::Latch(k, flip) => initial[k] ^ flip,
            Initial::Input(k, flip) => inputs[0][k] ^ flip,
        };
        let vector = |v: &Vec<bool>| self.inputs.iter().map(|k| k.is_some_and(|k| v[k])).collect();
        (self.latches.iter().map(latch).collect(), inputs.iter().map(vector).collect())
    }

    /// The run of the reduced graph that this run of the original one is.
    ///
    /// # Panics
    /// If `initial` or an input vector is not one of the original graph.
    pub fn forward(&self, initial: &[bool], inputs: &[Vec<bool>]) -> (Vec<bool>, Vec<Vec<bool>>) {
        let mut first = vec![false; self.reduced_latches];
        let vector = |v: &Vec<bool>| {
            let mut reduced = vec![false; self.reduced_inputs];
            for (k, &value) in self.inputs.iter().zip(v) {
                if let Some(k) = *k {
                    reduced[k] = value;
                }
            }
            reduced
        };
        let mut inputs: Vec<Vec<bool>> = inputs.iter().map(vector).collect();
        for (from, &value) in self.latches.iter().zip(initial) {
            match *from {
                Initial::Value(_) => {}
                Initial::Latch(k, flip) => first[k] = value ^ flip,
                Initial::Input(k, flip) => inputs[0][k] = value ^ flip,
            }
        }
        (first, inputs)
    }

    /// From the original of `self` to the reduced graph of `next`, whose original is the reduced
    /// graph of `self`.
    #[must_use]
    pub fn then(&self, next: &Restore) -> Restore {
        let latch = |from: &Initial| match *from {
            Initial::Value(value) => Initial::Value(value),
            Initial::Latch(k, flip) => match next.latches[k] {
                Initial::Value(value) => Initial::Value(value ^ flip),
                Initial::Latch(k, other) => Initial::Latch(k, flip ^ other),
                Initial::Input(k, other) => Initial::Input(k, flip ^ other),
            },
            Initial::Input(k, flip) => match next.inputs[k] {
                Some(k) => Initial::Input(k, flip),
                None => Initial::Value(flip),
            },
        };
        Restore {
            latches: self.latches.iter().map(latch).collect(),
            inputs: self.inputs.iter().map(|k| k.and_then(|k| next.inputs[k])).collect(),
            lits: self.lits.iter().map(|l| l.and_then(|l| next.lit(l))).collect(),
            bads: next.bads.iter().map(|&k| self.bads[k]).collect(),
            justice: next.justice.iter().map(|&k| self.justice[k]).collect(),
            reduced_inputs: next.reduced_inputs,
            reduced_latches: next.reduced_latches,
        }
    }
}
