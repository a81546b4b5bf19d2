//! Monitors: what makes a frame of the circuit bad.

mod race;
mod targets;

pub use targets::{BadSignal, instrument};
