//! Lifting of states to cubes.

use super::circuit::Circuit;
use super::cube::{Cube, StateLit};
use super::model::Model;
use crate::aig::Lit;
use crate::base::{Budget, Stop};
use crate::sat::{self, Backend};

/// Finds out which latches of a state matter.
pub(super) struct Lifter<'a> {
    model: &'a Model<'a>,
    backend: Backend,
    restart: usize,
    circuit: Circuit<'a>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(model: &'a Model<'a>, backend: Backend, restart: usize) -> Self {
        Self { model, backend, restart, circuit: Circuit::new(model, backend) }
    }

    /// A cube with the model's state in which, under the model's inputs, all constraints and all of
    /// `target` are true, as they are in the model. Latches that come first in `state` are more
    /// likely to be kept.
    pub(super) fn lift(
        &mut self,
        state: &[StateLit],
        inputs: &[bool],
        target: &[Lit],
        budget: &Budget,
    ) -> Result<Cube, Stop> {
        if self.circuit.passing() >= self.restart {
            self.circuit = Circuit::new(self.model, self.backend);
        }
        let goal = target.iter().copied().chain(self.model.constraints());
        let circuit = &mut self.circuit;
        let clause: Vec<sat::Lit> = goal.map(|lit| circuit.lit(!lit)).collect();
        let mut assumptions = vec![];
        for (input, &value) in self.model.aig.inputs().iter().zip(inputs) {
            let lit = Lit::new(input.var, !value);
            if let Some(lit) = circuit.known(lit) {
                assumptions.push(lit);
            }
        }
        let known: Vec<(StateLit, sat::Lit)> =
            state.iter().filter_map(|&l| Some((l, circuit.known(self.model.now(l))?))).collect();
        assumptions.extend(known.iter().map(|&(_, lit)| lit));
        let missed = circuit.solve(Some(&clause), &assumptions, budget)?;
        assert!(!missed, "a state and its inputs determine the next state");
        let needed = known.iter().filter(|&&(_, lit)| circuit.failed(lit)).map(|&(l, _)| l);
        Ok(Cube::new(needed.collect()))
    }
}
