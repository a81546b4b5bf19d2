//! The interpreter: the reference meaning of a thread program.
//!
//! A [`Machine`] is a program compiled to short tapes, one an edge; a [`State`] is a value for
//! each variable and a location for each thread. [`Machine::step`] takes the one enabled edge of
//! a thread. Everything is evaluated as it was built, without rewriting, and shares no code with
//! the circuit encoding.

mod machine;
mod memory;
mod state;
mod tape;

#[cfg(test)]
mod tests;

pub(super) use machine::{Change, Choice, Footprint};
pub use machine::{InternalError, Machine, StepError, StepInfo};
pub use state::State;
