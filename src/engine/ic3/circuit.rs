//! One copy of the circuit in a solver.

use super::cube::StateLit;
use super::model::Model;
use crate::aig::Lit;
use crate::base::{Budget, Stop};
use crate::engine::cnf::Encoder;
use crate::sat::{self, Answer, Backend, Solver};

/// The parts of the circuit that were asked about, with clauses that hold for one question only.
pub(super) struct Circuit<'a> {
    model: &'a Model<'a>,
    solver: Box<dyn Solver>,
    encoder: Encoder,
    /// A literal that is true.
    yes: sat::Lit,
    /// Number of questions with a clause of their own.
    passing: usize,
}

impl<'a> Circuit<'a> {
    pub(super) fn new(model: &'a Model<'a>, backend: Backend) -> Self {
        let mut solver = backend.solver();
        let yes = sat::Lit::from(solver.new_var());
        solver.add_clause(&[yes]);
        Self { model, solver, encoder: Encoder::default(), yes, passing: 0 }
    }

    pub(super) fn model(&self) -> &'a Model<'a> {
        self.model
    }

    /// Number of questions with a clause of their own so far.
    pub(super) fn passing(&self) -> usize {
        self.passing
    }

    pub(super) fn stats(&self) -> sat::Stats {
        self.solver.stats()
    }

    /// The solver's literal for one of the circuit.
    pub(super) fn lit(&mut self, lit: Lit) -> sat::Lit {
        match lit {
            Lit::TRUE => self.yes,
            Lit::FALSE => !self.yes,
            lit => {
                let (aig, solver) = (self.model.aig, &mut *self.solver);
                match &self.model.definitions {
                    Some(definitions) => self.encoder.lit_by(definitions, aig, solver, lit),
                    None => self.encoder.lit(aig, solver, lit),
                }
            }
        }
    }

    /// The solver's literal for one of the circuit that it knows already.
    pub(super) fn known(&self, lit: Lit) -> Option<sat::Lit> {
        self.encoder.known(lit)
    }

    /// Demands a clause for good.
    pub(super) fn demand(&mut self, clause: &[sat::Lit]) {
        self.solver.add_clause(clause);
    }

    /// Whether there is a model, with a clause for this question only.
    pub(super) fn solve(
        &mut self,
        clause: Option<&[sat::Lit]>,
        assumptions: &[sat::Lit],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let answer = match clause {
            Some(clause) => {
                self.passing += 1;
                self.solver.solve_with(clause, assumptions, budget)
            }
            None => self.solver.solve(assumptions, budget),
        };
        match answer {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// Whether the assumption was needed for the answer that there is no model.
    pub(super) fn failed(&self, lit: sat::Lit) -> bool {
        self.solver.failed(lit)
    }

    /// The value of a circuit's literal in the solver's model, if the last question depends on it.
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        let lit = self.encoder.known(lit)?;
        (!self.solver.is_open(lit)).then(|| self.solver.value(lit))
    }

    /// Whether a circuit's literal is true in the solver's model.
    pub(super) fn is_true(&self, lit: Lit) -> bool {
        lit == Lit::TRUE || self.value(lit) == Some(true)
    }

    /// The latches that the last question depends on, with their values.
    pub(super) fn state(&self) -> Vec<StateLit> {
        let latches = self.model.aig.latches().iter().enumerate();
        latches
            .filter_map(|(k, l)| Some(StateLit::new(k, self.value(Lit::new(l.var, false))?)))
            .collect()
    }

    /// Values of all inputs; those that the last question does not depend on are false.
    pub(super) fn inputs(&self) -> Vec<bool> {
        let inputs = self.model.aig.inputs().iter();
        inputs.map(|i| self.value(Lit::new(i.var, false)).unwrap_or(false)).collect()
    }
}
