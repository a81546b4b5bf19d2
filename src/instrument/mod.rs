//! Monitors: what makes a frame of the circuit bad, and which runs violate temporal formulas.

mod ltl;
mod race;
mod standstill;
mod targets;

pub use ltl::{NextInSection, end_process, instrument_ltl};
pub use targets::{BadSignal, instrument};
