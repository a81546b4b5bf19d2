//! Functions of the circuit's nodes as decision diagrams.

use crate::aig::{Aig, Lit, Node, Var};
use crate::base::{Budget, HashMap, IndexVec};
use crate::bdd::{Bdd, Manager};

use super::relation::Halt;

/// Number of conjunctions between two looks at the budget and the garbage.
const BETWEEN_CHECKS: usize = 64;

/// Builds functions of nodes over given functions of inputs and latches. A node's function is
/// forgotten after its last use.
pub(super) struct Functions<'a> {
    aig: &'a Aig,
    /// Of each input and latch that has one.
    pub(super) leaves: &'a IndexVec<Var, Option<Bdd>>,
    /// Of inputs and latches that have another one here.
    pub(super) instead: HashMap<Var, Bdd>,
}

impl<'a> Functions<'a> {
    /// Over these functions of the leaves.
    pub(super) fn new(aig: &'a Aig, leaves: &'a IndexVec<Var, Option<Bdd>>) -> Self {
        Self { aig, leaves, instead: HashMap::default() }
    }

    /// The functions of the literals.
    pub(super) fn of(
        &self,
        manager: &mut Manager,
        lits: &[Lit],
        budget: &Budget,
    ) -> Result<Vec<Bdd>, Halt> {
        let mut uses = self.uses(lits);
        let mut known: IndexVec<Var, Option<Bdd>> = IndexVec::filled(None, self.aig.nodes().len());
        let mut built = 0;
        for (var, &node) in self.aig.nodes().iter_enumerated() {
            if uses[var] == 0 {
                continue;
            }
            known[var] = Some(match node {
                Node::False => manager.constant(false),
                Node::Input(_) | Node::Latch(_) => self.leaf(var),
                Node::And(a, b) => {
                    let both = value(&known, a).and(&value(&known, b))?;
                    for operand in [a.var(), b.var()] {
                        uses[operand] -= 1;
                        if uses[operand] == 0 {
                            known[operand] = None;
                        }
                    }
                    built += 1;
                    if built % BETWEEN_CHECKS == 0 {
                        manager.tidy();
                        budget.check().map_or(Ok(()), |stop| Err(Halt::Stop(stop)))?;
                    }
                    both
                }
            });
        }
        Ok(lits.iter().map(|&lit| value(&known, lit)).collect())
    }

    fn leaf(&self, var: Var) -> Bdd {
        let function = self.instead.get(&var).or(self.leaves[var].as_ref());
        function.expect("every leaf of the cone has a variable").clone()
    }

    /// How often the function of each node is needed.
    fn uses(&self, lits: &[Lit]) -> IndexVec<Var, u32> {
        let mut uses = IndexVec::filled(0, self.aig.nodes().len());
        let mut open: Vec<Var> = vec![];
        for lit in lits {
            open.push(lit.var());
        }
        while let Some(var) = open.pop() {
            uses[var] += 1;
            if uses[var] > 1 {
                continue;
            }
            if let Node::And(a, b) = self.aig.node(var) {
                open.extend([a.var(), b.var()]);
            }
        }
        uses
    }
}

fn value(known: &IndexVec<Var, Option<Bdd>>, lit: Lit) -> Bdd {
    let function = known[lit.var()].as_ref().expect("operands precede their users");
    if lit.is_negated() { !function } else { function.clone() }
}
