//! Word-level transition systems over bit-vectors: inputs, states with initial value and next
//! state, constraints, properties.
//!
//! All properties and next states are expressions over the current state and inputs. The bad
//! expressions are looked at in every frame, the last one included.
//!
//! [`Simulator`] runs a system, a [`Run`] is what it is run on; [`random`] makes systems for tests.
//! [`cone_of_influence`] and [`remove_constant_states`] give a
//! smaller one with the same properties and a [`TsMap`] from the original to it.

mod error;
mod print;
pub mod random;
mod restrict;
mod run;
mod simulate;
mod system;
#[cfg(test)]
mod tests;
mod validate;

pub use error::TsError;
pub use restrict::{TsMap, cone_of_influence, remove_constant_states};
pub use run::Run;
pub use simulate::Simulator;
pub use system::{
    InputId, StateId, TransitionSystem, TsExpr, TsInput, TsLeaf, TsNamed, TsPool, TsState,
};
