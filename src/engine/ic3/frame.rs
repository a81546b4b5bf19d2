//! The solver of one frame.

use super::circuit::Circuit;
use super::cube::{Cube, StateLit};
use super::model::Model;
use crate::aig::Lit;
use crate::base::{Budget, Stop};
use crate::sat::{self, Backend};

/// What a question for a step into a cube has found.
pub(super) enum Step {
    /// There is one; the frame's solver has it as its model.
    Possible,
    /// There is none into the cube of these literals, some of those asked about, in their order.
    /// They may meet the reset.
    Impossible(Vec<StateLit>),
}

/// The states of one frame, and their steps.
pub(super) struct Frame<'a> {
    pub(super) circuit: Circuit<'a>,
}

impl<'a> Frame<'a> {
    /// The frame of all states.
    pub(super) fn new(model: &'a Model<'a>, backend: Backend) -> Self {
        let mut circuit = Circuit::new(model, backend);
        for constraint in model.constraints() {
            let lit = circuit.lit(constraint);
            circuit.demand(&[lit]);
        }
        Self { circuit }
    }

    /// The frame of the initial states.
    pub(super) fn initial(model: &'a Model<'a>, backend: Backend) -> Self {
        let mut frame = Self::new(model, backend);
        for lit in model.initial() {
            let lit = frame.circuit.lit(model.now(lit));
            frame.circuit.demand(&[lit]);
        }
        frame
    }

    /// Takes the cube's states out of the frame.
    pub(super) fn block(&mut self, cube: &Cube) {
        let clause = self.outside(cube.lits());
        self.circuit.demand(&clause);
    }

    /// The clause that is true outside of the cube.
    fn outside(&mut self, cube: &[StateLit]) -> Vec<sat::Lit> {
        let model = self.circuit.model();
        cube.iter().map(|&l| self.circuit.lit(!model.now(l))).collect()
    }

    /// Is there a step from the frame, but if `induct` not from the cube itself, into the cube?
    pub(super) fn step_into(
        &mut self,
        cube: &[StateLit],
        induct: bool,
        budget: &Budget,
    ) -> Result<Step, Stop> {
        let model = self.circuit.model();
        if let Some(&never) = cube.iter().find(|&&l| model.next(l) == Lit::FALSE) {
            return Ok(Step::Impossible(vec![never]));
        }
        let next: Vec<sat::Lit> = cube.iter().map(|&l| self.circuit.lit(model.next(l))).collect();
        let clause = induct.then(|| self.outside(cube));
        if self.circuit.solve(clause.as_deref(), &next, budget)? {
            return Ok(Step::Possible);
        }
        let pairs = cube.iter().zip(&next);
        let core = pairs.filter(|&(_, &n)| self.circuit.failed(n)).map(|(&l, _)| l).collect();
        Ok(Step::Impossible(core))
    }

    /// Is one of `bads` true somewhere in the frame? The frame's solver has that as its model.
    pub(super) fn bad(&mut self, bads: &[Lit], budget: &Budget) -> Result<bool, Stop> {
        let bads: Vec<sat::Lit> = bads.iter().map(|&bad| self.circuit.lit(bad)).collect();
        match bads[..] {
            [bad] => self.circuit.solve(None, &[bad], budget),
            _ => self.circuit.solve(Some(&bads), &[], budget),
        }
    }
}
