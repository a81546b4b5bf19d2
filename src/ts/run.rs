//! Runs of a transition system.

use super::simulate::Simulator;
use super::system::{InputId, StateId, TransitionSystem};
use crate::base::IndexVec;

/// A run: a first state, and the inputs' values in each frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first frame's value of each state, below `2^width`. Those of states with an initial
    /// value are not looked at.
    pub initial: IndexVec<StateId, u128>,
    /// Each frame's value of each input, below `2^width`.
    pub inputs: Vec<IndexVec<InputId, u128>>,
}

impl Run {
    /// Executes the run and calls `f` in each frame, whose values the simulator has.
    ///
    /// # Panics
    /// If there is not one value for each state and, in each frame, for each input.
    pub fn frames<'a>(&self, ts: &'a TransitionSystem, mut f: impl FnMut(&Simulator<'a>)) {
        let mut simulator = Simulator::new(ts, |s| self.initial[s]);
        for frame in &self.inputs {
            simulator.evaluate(|i| frame[i]);
            f(&simulator);
            simulator.advance();
        }
    }

    /// Whether all constraints hold in all frames and the bad at this position in the last one.
    ///
    /// # Panics
    /// As for [`Run::frames`], or if there is no such bad.
    pub fn violates(&self, ts: &TransitionSystem, bad: usize) -> bool {
        let mut legal = true;
        let mut last = false;
        self.frames(ts, |frame| {
            legal &= ts.constraints.iter().all(|c| frame.is_true(c.value));
            last = frame.is_true(ts.bads[bad].value);
        });
        legal && last
    }
}
