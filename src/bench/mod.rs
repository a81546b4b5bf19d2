//! For the comparison of engines (`make bench-engines`): a family of word-level [`designs`] with
//! known verdicts, and the cactus plot of a table of measurements.

mod builder;
mod cactus;
mod control;
mod data;
mod designs;
#[cfg(test)]
mod tests;

pub use cactus::{CactusError, Measurement, cactus, read_measurements};
pub use designs::{Design, DesignError, designs, write_designs};
