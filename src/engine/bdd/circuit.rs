//! Sets of states as circuits.

use super::relation::Relation;
use crate::aig::{Aig, Lit, Named};
use crate::base::HashMap;
use crate::bdd::{Bdd, Level};

/// A combinational circuit with an input for each latch of the relation's circuit, in order, and
/// one output, which is true in the states of the set: a multiplexer for each node.
pub(super) fn circuit(relation: &Relation, set: &Bdd) -> Aig {
    let mut aig = Aig::new();
    let inputs: Vec<Lit> = relation.aig.latches().iter().map(|_| aig.input(None)).collect();
    let mut of_level = HashMap::default();
    for latch in &relation.latches {
        of_level.insert(latch.now, inputs[latch.position]);
    }
    let value = Builder { aig: &mut aig, of_level: &of_level, known: HashMap::default() }.lit(set);
    aig.outputs.push(Named { value, name: None });
    aig
}

struct Builder<'a> {
    aig: &'a mut Aig,
    of_level: &'a HashMap<Level, Lit>,
    /// By the node's number.
    known: HashMap<usize, Lit>,
}

impl Builder<'_> {
    fn lit(&mut self, set: &Bdd) -> Lit {
        let Some((level, high, low)) = set.branch() else { return Lit::from(set.is_true()) };
        let (node, complemented) = set.node();
        if let Some(&lit) = self.known.get(&node) {
            return lit.xor(complemented);
        }
        let (high, low) = (self.lit(&high), self.lit(&low));
        let lit = self.aig.ite(self.of_level[&level], high, low);
        self.known.insert(node, lit.xor(complemented));
        lit
    }
}
