//! Engines side by side: which ones, in which order, with which share of time, cores and memory.
//!
//! A [`Plan`] is a list of [`Member`]s, made from command lines (`bmc --slice 60`): one engine's,
//! or a [preset](preset)'s. [`solve`] runs them on threads, as many at a time as there are cores.
//! An answer counts when it is accepted: a counterexample after simulation and replay, a proof
//! after its audit. The first accepted answer about a property closes it, and when all are closed
//! the other members are stopped. A proof that was not audited (the audit's time ran out, or a
//! tool of others gives no evidence) waits for a better answer first, and before a proof without
//! any evidence is accepted, bounded model checking looks for a violation.
//!
//! Which member answers first may differ from run to run; what is answered does not, within the
//! limits of time and memory.

mod accept;
mod member;
mod plan;
pub mod preset;
mod race;
mod relay;
mod solve;
mod table;
#[cfg(test)]
mod tests;

pub use member::{EngineOptions, Member};
pub use plan::{Plan, PlanError};
pub use solve::{Answer, Fault, MemberReport, Replayer, Solved, solve};
