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
    /// The switch of the current temporary clause.
    temporary: Option<sat::Lit>,
    /// Number of temporary clauses that are switched off.
    retired: usize,
}

impl<'a> Circuit<'a> {
    pub(super) fn new(model: &'a Model<'a>, backend: Backend) -> Self {
        let mut solver = backend.solver();
        let yes = sat::Lit::from(solver.new_var());
        solver.add_clause(&[yes]);
        Self { model, solver, encoder: Encoder::default(), yes, temporary: None, retired: 0 }
    }

    pub(super) fn model(&self) -> &'a Model<'a> {
        self.model
    }

    /// Number of temporary clauses so far.
    pub(super) fn retired(&self) -> usize {
        self.retired
    }

    pub(super) fn stats(&self) -> sat::Stats {
        self.solver.stats()
    }

    /// The solver's literal for one of the circuit.
    pub(super) fn lit(&mut self, lit: Lit) -> sat::Lit {
        match lit {
            Lit::TRUE => self.yes,
            Lit::FALSE => !self.yes,
            lit => self.encoder.lit(self.model.aig, &mut *self.solver, lit),
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

    /// Demands a clause in the next question only.
    pub(super) fn demand_once(
        &mut self,
        mut clause: Vec<sat::Lit>,
        assumptions: &mut Vec<sat::Lit>,
    ) {
        self.forget();
        let switch = sat::Lit::from(self.solver.new_var());
        clause.push(!switch);
        self.solver.add_clause(&clause);
        self.temporary = Some(switch);
        assumptions.push(switch);
    }

    /// Ends the last temporary clause.
    pub(super) fn forget(&mut self) {
        if let Some(switch) = self.temporary.take() {
            self.solver.add_clause(&[!switch]);
            self.retired += 1;
        }
    }

    /// Whether there is a model.
    pub(super) fn solve(
        &mut self,
        assumptions: &[sat::Lit],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        match self.solver.solve(assumptions, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// Whether the assumption was needed for the answer that there is no model.
    pub(super) fn failed(&self, lit: sat::Lit) -> bool {
        self.solver.failed(lit)
    }

    /// The value of a circuit's literal in the solver's model, if the solver knows it.
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.encoder.known(lit).map(|lit| self.solver.value(lit))
    }

    /// The latches that the solver knows, with their values.
    pub(super) fn state(&self) -> Vec<StateLit> {
        let latches = self.model.aig.latches().iter().enumerate();
        latches
            .filter_map(|(k, l)| Some(StateLit::new(k, self.value(Lit::new(l.var, false))?)))
            .collect()
    }

    /// Values of all inputs; those that the solver does not know are false.
    pub(super) fn inputs(&self) -> Vec<bool> {
        let inputs = self.model.aig.inputs().iter();
        inputs.map(|i| self.value(Lit::new(i.var, false)).unwrap_or(false)).collect()
    }
}
