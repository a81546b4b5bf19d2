//! Lifting of states to cubes.

use super::circuit::Circuit;
use super::cube::{Cube, StateLit};
use super::model::Model;
use super::options::Ic3Options;
use crate::aig::Lit;
use crate::base::{Budget, Stop};
use crate::sat::{self, Backend};

/// Finds out which latches of a state matter.
pub(super) struct Lifter<'a> {
    model: &'a Model<'a>,
    backend: Backend,
    restart: usize,
    /// Whether a cube's latches are asked for again.
    again: bool,
    circuit: Circuit<'a>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(model: &'a Model<'a>, options: &Ic3Options) -> Self {
        let Ic3Options { backend, restart, lift_again: again, .. } = *options;
        Self { model, backend, restart, again, circuit: Circuit::new(model, backend) }
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
        let inputs = assumptions.len();
        let mut needed: Vec<(StateLit, sat::Lit)> =
            state.iter().filter_map(|&l| Some((l, circuit.known(self.model.now(l))?))).collect();
        // In turn those that come first and those that come last are asked for first.
        loop {
            assumptions.truncate(inputs);
            assumptions.extend(needed.iter().map(|&(_, lit)| lit));
            let missed = circuit.solve(Some(&clause), &assumptions, budget)?;
            assert!(!missed, "a state and its inputs determine the next state");
            let before = needed.len();
            needed.retain(|&(_, lit)| circuit.failed(lit));
            if needed.len() == before || !self.again {
                break;
            }
            needed.reverse();
        }
        Ok(Cube::new(needed.into_iter().map(|(l, _)| l).collect()))
    }
}
