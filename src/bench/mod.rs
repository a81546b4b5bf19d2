//! Measurements: [`suite`]s of programs, what they are run with and what they come to; plots of
//! tables; and, for the comparison of engines (`make bench-engines`), a family of word-level
//! [`designs`] with known verdicts.

mod builder;
mod cactus;
mod control;
mod data;
mod designs;
mod plot;
pub mod suite;
#[cfg(test)]
mod tests;

pub use cactus::{CactusError, Measurement, cactus, read_measurements};
pub use designs::{Design, DesignError, designs, write_designs};
pub use plot::{Captions, Curve, curves, scatter};
