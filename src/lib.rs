//! latchwork turns multi-threaded C into a circuit and asks hardware model checkers about it.
//!
//! `docs/architecture.md` shows the pipeline and the layers.

pub mod aig;
pub mod analysis;
pub mod base;
pub mod bdd;
pub mod bench;
pub mod bitblast;
pub mod cli;
pub mod driver;
pub mod encode;
pub mod engine;
pub mod expr;
pub mod format;
pub mod frontend;
pub mod instrument;
pub mod ltl;
pub mod outcome;
pub mod portfolio;
pub mod program;
pub mod property;
pub mod report;
pub mod sat;
pub mod sched;
pub mod ts;
pub mod witness;
