//! Word-level simulation.

use super::system::{InputId, StateId, TransitionSystem, TsExpr, TsLeaf};
use crate::base::{Id, IndexVec};
use crate::expr::Node;

/// Runs a transition system on given input values, one frame at a time.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    ts: &'a TransitionSystem,
    states: IndexVec<StateId, u128>,
    /// The values in the current frame of all expressions of the pool, by index.
    values: Vec<u128>,
}

impl<'a> Simulator<'a> {
    /// Starts before the first frame; `free` gives the values of states without an initial one.
    pub fn new(ts: &'a TransitionSystem, mut free: impl FnMut(StateId) -> u128) -> Self {
        let init = |(id, s): (StateId, &super::TsState)| s.init.unwrap_or_else(|| free(id));
        let states = ts.states.iter_enumerated().map(init).collect();
        Self { ts, states, values: vec![0; ts.pool.len()] }
    }

    /// The current frame's state.
    pub fn states(&self) -> &IndexVec<StateId, u128> {
        &self.states
    }

    /// Evaluates the current frame with these input values, each below `2^width`.
    pub fn evaluate(&mut self, mut input: impl FnMut(InputId) -> u128) {
        let pool = &self.ts.pool;
        for e in (0..pool.len()).map(TsExpr::new) {
            // Operands have lower indices than their users.
            let value = match pool.node(e) {
                Node::Leaf(TsLeaf::Input(id)) => input(id),
                Node::Leaf(TsLeaf::State(id)) => self.states[id],
                _ => pool.apply(e, |x| self.values[x.index()]).expect("not a leaf"),
            };
            self.values[e.index()] = value;
        }
    }

    /// The value of an expression in the frame that was evaluated last.
    pub fn value(&self, e: TsExpr) -> u128 {
        self.values[e.index()]
    }

    /// Whether an expression of width 1 is true in the frame that was evaluated last.
    pub fn is_true(&self, e: TsExpr) -> bool {
        self.value(e) == 1
    }

    /// Goes to the next frame, which is then to be evaluated.
    pub fn advance(&mut self) {
        self.states = self.ts.states.iter().map(|s| self.values[s.next.index()]).collect();
    }
}
