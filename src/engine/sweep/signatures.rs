//! Values of all nodes in some frames.

use super::merge::Alike;
use crate::aig::{Aig, Lit, Node, Simulator, Var};
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

    /// Adds a frame, with 63 others of the same state.
    pub(super) fn add(&mut self, aig: &Aig, (state, inputs): &Frame, rng: &mut Rng) {
        let word = |&bit: &bool| if bit { !0 } else { 0 };
        let state: Vec<u64> = state.iter().map(word).collect();
        let inputs: Vec<u64> = inputs.iter().map(|b| word(b) ^ (rng.next_u64() & !1)).collect();
        let mut sim = Simulator::new(aig, &state);
        sim.eval(&inputs);
        self.push(&sim);
    }

    fn push(&mut self, sim: &Simulator<u64>) {
        for k in 0..self.0.len() {
            let var = Var::new(k);
            self.0[var].push(sim.value(Lit::new(var, false)));
        }
    }

    /// For each node the first one whose values are the same or the complement, as the literal
    /// that has the same values: for ands an earlier node, for latches a constant or latch that
    /// is the first of its kind itself.
    pub(super) fn alike(&self, aig: &Aig) -> Alike {
        let mut first: HashMap<Vec<u64>, Lit> = HashMap::default();
        let mut first_state: HashMap<Vec<u64>, Lit> = HashMap::default();
        let alike = |(var, words): (Var, &Vec<u64>)| {
            let flip = words.first().is_some_and(|w| w & 1 == 1);
            let words: Vec<u64> = words.iter().map(|w| if flip { !w } else { *w }).collect();
            let own = Lit::new(var, flip);
            let earlier = match aig.node(var) {
                Node::False | Node::Latch(_) => {
                    first.entry(words.clone()).or_insert(own);
                    *first_state.entry(words).or_insert(own)
                }
                Node::Input(_) | Node::And(..) => *first.entry(words).or_insert(own),
            };
            let replaceable = matches!(aig.node(var), Node::Latch(_) | Node::And(..));
            (replaceable && earlier != own).then(|| earlier.xor(flip))
        };
        self.0.iter_enumerated().map(alike).collect()
    }
}
