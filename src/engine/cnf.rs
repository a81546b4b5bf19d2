//! Clauses for the functions of a combinational graph (Tseitin 1968), made on demand for the
//! cones that are asked for, each node once.

use crate::aig::{Aig, Lit, Node, Var};
use crate::base::Id;
use crate::sat::{self, Solver};

/// Relates a growing graph to the variables of one solver.
#[derive(Default)]
pub(super) struct Encoder {
    /// The solver's literal of each node that has one.
    lits: Vec<Option<sat::Lit>>,
}

impl Encoder {
    /// The solver's literal that equals `lit`, with clauses for its cone.
    ///
    /// # Panics
    /// If `lit` is constant.
    pub(super) fn lit(&mut self, graph: &Aig, solver: &mut dyn Solver, lit: Lit) -> sat::Lit {
        assert!(!lit.is_const(), "constants are folded, not encoded");
        self.lits.resize(graph.nodes().len(), None);
        let mut open = vec![lit.var()];
        while let Some(&var) = open.last() {
            if self.lits[var.index()].is_some() {
                open.pop();
                continue;
            }
            if let Node::And(a, b) = graph.node(var) {
                let before = open.len();
                open.extend([a, b].map(Lit::var).into_iter().filter(|&v| self.of(v).is_none()));
                if open.len() > before {
                    continue;
                }
                self.and(solver, var, a, b);
            } else {
                self.lits[var.index()] = Some(solver.new_var().into());
            }
            open.pop();
        }
        self.known(lit).expect("just encoded")
    }

    /// The solver's literal of a literal that has been encoded.
    pub(super) fn known(&self, lit: Lit) -> Option<sat::Lit> {
        Some(self.of(lit.var())?.xor(lit.is_negated()))
    }

    fn of(&self, var: Var) -> Option<sat::Lit> {
        self.lits.get(var.index()).copied().flatten()
    }

    fn and(&mut self, solver: &mut dyn Solver, var: Var, a: Lit, b: Lit) {
        let a = self.known(a).expect("operands are encoded first");
        let b = self.known(b).expect("operands are encoded first");
        let x = sat::Lit::from(solver.new_var());
        solver.add_clause(&[!x, a]);
        solver.add_clause(&[!x, b]);
        solver.add_clause(&[x, !a, !b]);
        self.lits[var.index()] = Some(x);
    }
}
