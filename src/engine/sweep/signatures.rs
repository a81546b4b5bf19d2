//! Classes of nodes that have had the same values so far.

use super::merge::Alike;
use crate::aig::{Aig, Lit, Node, Simulator, Var};
use crate::base::{Budget, HashMap, IndexVec, Rng, Stop};

/// Values of all latches, and of all inputs.
pub(super) type Frame = (Vec<bool>, Vec<bool>);

/// Nodes whose values were the same, or the complements of each other, in all frames seen.
pub(super) struct Classes {
    /// Those with more than one member, which are in order.
    all: Vec<Vec<Var>>,
    /// For each node whether it was true in the first frame seen: members of a class are equal
    /// when complemented accordingly.
    flip: IndexVec<Var, bool>,
}

impl Classes {
    /// Classes after `runs` times 64 random runs of `frames` frames each. Constraints are not
    /// looked at.
    pub(super) fn random(
        aig: &Aig,
        runs: usize,
        frames: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut rng = Rng::new(0);
        let mut classes = Self {
            all: vec![aig.nodes().ids().collect()],
            flip: IndexVec::filled(false, aig.nodes().len()),
        };
        for run in 0..runs {
            let mut sim = Simulator::random(aig, &mut rng);
            for frame in 0..frames {
                if let Some(stop) = budget.check() {
                    return Err(stop);
                }
                let inputs: Vec<u64> = aig.inputs().iter().map(|_| rng.next_u64()).collect();
                sim.eval(&inputs);
                if (run, frame) == (0, 0) {
                    let first = |var| sim.value(Lit::new(var, false)) & 1 == 1;
                    classes.flip = aig.nodes().ids().map(first).collect();
                }
                classes.split(&sim);
                sim.advance();
            }
        }
        Ok(classes)
    }

    /// Adds a frame, with 63 others of the same state.
    pub(super) fn add(&mut self, aig: &Aig, (state, inputs): &Frame, rng: &mut Rng) {
        let word = |&bit: &bool| if bit { !0 } else { 0 };
        let state: Vec<u64> = state.iter().map(word).collect();
        let inputs: Vec<u64> = inputs.iter().map(|b| word(b) ^ (rng.next_u64() & !1)).collect();
        let mut sim = Simulator::new(aig, &state);
        sim.eval(&inputs);
        self.split(&sim);
    }

    fn split(&mut self, sim: &Simulator<u64>) {
        let mut parts = vec![];
        for class in self.all.drain(..) {
            let first = parts.len();
            let mut of_value: HashMap<u64, usize> = HashMap::default();
            for var in class {
                let value = sim.value(Lit::new(var, self.flip[var]));
                let part = *of_value.entry(value).or_insert_with(|| {
                    parts.push(vec![]);
                    parts.len() - 1
                });
                parts[part].push(var);
            }
            debug_assert!(parts.len() > first, "no class is empty");
        }
        parts.retain(|p| p.len() > 1);
        self.all = parts;
    }

    /// For each node the first one of its class, as the literal that has the same values: for
    /// ands an earlier node, for latches a constant or latch that is the first of its kind itself.
    pub(super) fn alike(&self, aig: &Aig) -> Alike {
        let mut alike = IndexVec::filled(None, aig.nodes().len());
        for class in &self.all {
            let is_state = |&&v: &&Var| matches!(aig.node(v), Node::False | Node::Latch(_));
            let first_state = class.iter().find(is_state);
            for &var in class {
                let earlier = match aig.node(var) {
                    Node::False | Node::Input(_) => None,
                    Node::Latch(_) => first_state,
                    Node::And(..) => class.first(),
                };
                let other = earlier.filter(|&&e| e != var);
                alike[var] = other.map(|&e| Lit::new(e, self.flip[e] != self.flip[var]));
            }
        }
        alike
    }
}
