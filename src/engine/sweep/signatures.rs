//! Values of all nodes in some frames.

use crate::aig::{Aig, Lit, Simulator, Var};
use crate::base::{Budget, HashMap, Id, IndexVec, Rng, Stop};

/// Values of all latches, and of all inputs.
pub(super) type Frame = (Vec<bool>, Vec<bool>);

/// For each node its values in the same frames, 64 to a word.
pub(super) struct Signatures(IndexVec<Var, Vec<u64>>);

impl Signatures {
    /// Values in `runs` times 64 random runs of `frames` frames each. Constraints are not looked
    /// at.
    pub(super) fn random(
        aig: &Aig,
        runs: usize,
        frames: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut rng = Rng::new(0);
        let mut signatures = Self(IndexVec::filled(vec![], aig.nodes().len()));
        for _ in 0..runs {
            let mut sim = Simulator::random(aig, &mut rng);
            for _ in 0..frames {
                if let Some(stop) = budget.check() {
                    return Err(stop);
                }
                let inputs: Vec<u64> = aig.inputs().iter().map(|_| rng.next_u64()).collect();
                sim.eval(&inputs);
                signatures.push(&sim);
                sim.advance();
            }
        }
        Ok(signatures)
    }

    /// Adds the frames of these states and inputs.
    pub(super) fn add(&mut self, aig: &Aig, frames: &[Frame]) {
        for frames in frames.chunks(64) {
            let word = |bit: &dyn Fn(&Frame) -> bool| {
                frames.iter().enumerate().map(|(k, f)| u64::from(bit(f)) << k).sum::<u64>()
            };
            let state: Vec<u64> = (0..aig.latches().len()).map(|k| word(&|f| f.0[k])).collect();
            let inputs: Vec<u64> = (0..aig.inputs().len()).map(|k| word(&|f| f.1[k])).collect();
            let mut sim = Simulator::new(aig, &state);
            sim.eval(&inputs);
            self.push(&sim);
        }
    }

    fn push(&mut self, sim: &Simulator<u64>) {
        for k in 0..self.0.len() {
            let var = Var::new(k);
            self.0[var].push(sim.value(Lit::new(var, false)));
        }
    }

    /// For each node the first one whose values are the same or the complement, as the literal
    /// that has the same values.
    pub(super) fn first_alike(&self) -> IndexVec<Var, Lit> {
        let mut first: HashMap<Vec<u64>, Lit> = HashMap::default();
        let alike = |(var, words): (Var, &Vec<u64>)| {
            let flip = words.first().is_some_and(|w| w & 1 == 1);
            let words = words.iter().map(|w| if flip { !w } else { *w }).collect();
            let lit = Lit::new(var, flip);
            first.entry(words).or_insert(lit).xor(flip)
        };
        self.0.iter_enumerated().map(alike).collect()
    }
}
