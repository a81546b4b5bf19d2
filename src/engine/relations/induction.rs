//! The inductive part of a set of clauses.

use super::Clause;
use crate::aig::{Aig, Lit};
use crate::base::{Budget, Stop};
use crate::engine::cnf::Encoder;
use crate::sat::{self, Answer, Backend, Solver};

/// The largest subset of the clauses that holds after each step from a state where it holds.
pub(super) fn inductive(
    aig: &Aig,
    mut clauses: Vec<Clause>,
    backend: Backend,
    budget: &Budget,
) -> Result<Vec<Clause>, Stop> {
    loop {
        let before = clauses.len();
        let mut frame = Frame::new(aig, &clauses, backend);
        let mut kept = vec![true; before];
        for position in 0..before {
            if kept[position] && frame.can_break(&clauses[position], budget)? {
                kept[position] = false;
                for (kept, clause) in kept.iter_mut().zip(&clauses) {
                    *kept &= !frame.has_broken(clause);
                }
            }
        }
        let mut kept = kept.into_iter();
        clauses.retain(|_| kept.next().expect("a flag for each clause"));
        if clauses.len() == before {
            return Ok(clauses);
        }
    }
}

/// A step from a state where some clauses hold.
struct Frame<'a> {
    aig: &'a Aig,
    solver: Box<dyn Solver>,
    encoder: Encoder,
    /// A literal that is true.
    yes: sat::Lit,
}

impl<'a> Frame<'a> {
    fn new(aig: &'a Aig, clauses: &[Clause], backend: Backend) -> Self {
        let mut solver = backend.solver();
        let yes = sat::Lit::from(solver.new_var());
        solver.add_clause(&[yes]);
        let mut frame = Self { aig, solver, encoder: Encoder::default(), yes };
        for constraint in &aig.constraints {
            let lit = frame.lit(constraint.value);
            frame.solver.add_clause(&[lit]);
        }
        for clause in clauses {
            let now = |&(latch, value): &(usize, bool)| Lit::new(aig.latches()[latch].var, !value);
            let lits: Vec<sat::Lit> = clause.iter().map(|l| frame.lit(now(l))).collect();
            frame.solver.add_clause(&lits);
        }
        frame
    }

    fn lit(&mut self, lit: Lit) -> sat::Lit {
        match lit {
            Lit::TRUE => self.yes,
            Lit::FALSE => !self.yes,
            lit => self.encoder.lit(self.aig, &mut *self.solver, lit),
        }
    }

    /// The clause's literals in the next frame.
    fn next(&self, clause: &Clause) -> Vec<Lit> {
        clause.iter().map(|&(k, value)| self.aig.latches()[k].next.xor(!value)).collect()
    }

    /// Whether a step leads to a state where the clause does not hold; it is the solver's model.
    fn can_break(&mut self, clause: &Clause, budget: &Budget) -> Result<bool, Stop> {
        let next = self.next(clause);
        let broken: Vec<sat::Lit> = next.into_iter().map(|l| self.lit(!l)).collect();
        match self.solver.solve(&broken, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// Whether the step of the solver's model breaks the clause for sure.
    fn has_broken(&self, clause: &Clause) -> bool {
        let is_false = |lit: Lit| match lit {
            Lit::TRUE => false,
            Lit::FALSE => true,
            lit => match self.encoder.known(lit) {
                Some(lit) => !self.solver.is_open(lit) && !self.solver.value(lit),
                None => false,
            },
        };
        self.next(clause).into_iter().all(is_false)
    }
}
