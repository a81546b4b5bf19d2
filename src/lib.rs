//! latchwork turns multi-threaded C into a circuit and asks hardware model checkers about it.
//!
//! `docs/architecture.md` shows the pipeline and the layers.

pub mod aig;
pub mod analysis;
pub mod base;
pub mod bitblast;
pub mod encode;
pub mod engine;
pub mod expr;
pub mod format;
pub mod instrument;
pub mod frontend;
pub mod outcome;
pub mod program;
pub mod property;
pub mod sat;
pub mod sched;
pub mod ts;
