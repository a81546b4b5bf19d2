//! Certificates as witness circuits, which a checker outside of this project can verify: the
//! AIGER format of Certifaiger (Yu, Biere, Heljanko: Progress in certifying hardware model
//! checking results, CAV 2021; Yu, Froleyks, Biere, Heljanko: Stratified certification for
//! k-induction, FMCAD 2022).
//!
//! A witness circuit has the model's inputs and latches, and may have more. It behaves like the
//! model on what they share, and has a bad state of its own whose complement is an inductive
//! invariant, and excludes the model's bad state. Symbols `= N` name the model's literal N that
//! an input or latch stands for.
//!
//! [`witness_circuit`] makes one: an inductive invariant needs the circuit itself with another
//! bad state; k-induction and completeness at a depth need latches that remember the last frames.
//! [`check`] checks one as Certifaiger does, by five questions to a SAT solver.

mod build;
mod check;
mod history;

pub(super) use build::copy;
pub use build::{Unsupported, witness_circuit};
pub use check::{Flaw, check};
