//! Word-level transition systems over bit-vectors: inputs, states with initial value and next
//! state, constraints, properties.
//!
//! All properties and next states are expressions over the current state and inputs. The bad
//! expressions are looked at in every frame, the last one included.

mod simulate;
mod system;

pub use simulate::Simulator;
pub use system::{
    InputId, StateId, TransitionSystem, TsExpr, TsInput, TsLeaf, TsNamed, TsPool, TsState,
};
