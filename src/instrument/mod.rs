//! Monitors: what makes a frame of the circuit bad.

mod targets;

pub use targets::{BadSignal, instrument};
