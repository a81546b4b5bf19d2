//! latchwork turns multi-threaded C into a circuit and asks hardware model checkers about it.
//!
//! `docs/architecture.md` shows the pipeline and the layers.

pub mod aig;
pub mod base;
pub mod bitblast;
pub mod expr;
pub mod outcome;
pub mod program;
pub mod ts;
