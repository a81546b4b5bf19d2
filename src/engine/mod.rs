//! Engines: they take a [`Problem`] (bad-state properties of a sequential and-inverter graph) and
//! return a [`Verdict`](crate::outcome::Verdict) for each property, with its evidence.
//!
//! - [`bmc`]: bounded model checking, complete for circuits whose runs end.
//! - [`kind`]: k-induction; proves some circuits, and refutes as [`bmc`] does.
//! - [`sweep`]: a smaller circuit before an engine runs, with the way back.
//! - [`relations`]: invariants between latches that help the others.
//! - [`ic3`]: proves and refutes any circuit, without unrolling.
//! - [`bdd`]: reachability on decision diagrams; proves and refutes small circuits.
//! - [`sim`]: random simulation; finds deep violations that are not rare.
//! - [`certificate`]: proofs as files that others can check.
//! - [`liveness`]: justice with any of them.
//! - [`audit`]: re-checks what an engine says by other means; no answer leaves without it.
//!
//! # Moves and stuttering
//!
//! A circuit may name a signal `moved` that tells which frames change the state. Where it is
//! false the latches keep their values (the frame *stutters*), so a run with its stuttering
//! frames cut out is a run as well: it visits the same states, the same bad ones among them, and
//! meets the constraints. Engines may therefore look only at runs in which every frame before the
//! last moves. If after `k` moves no further one is possible, all runs have been seen and a clean
//! property is safe. Were a latch to change in a frame that does not move, this would be unsound;
//! [`audit`] checks that none does.

pub mod audit;
pub mod bdd;
pub mod bmc;
pub mod certificate;
mod cnf;
mod definitions;
pub mod external;
pub mod ic3;
pub mod kind;
pub mod liveness;
mod problem;
pub mod relations;
pub mod sim;
pub mod sweep;
#[cfg(test)]
pub(crate) mod tests;
mod unroll;
mod values;

pub use problem::{Capabilities, Engine, FrameReport, Problem, Progress, Silent, embedded};
