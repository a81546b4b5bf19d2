//! Sequential and-inverter graphs: inputs, latches with reset 0, 1 or none, two-input ands with
//! inverters on edges, and the properties of AIGER 1.9 (bad states, constraints, justice,
//! fairness; Biere, Heljanko, Wieringa: AIGER 1.9 and beyond, FMV report 11/2, 2011).
//!
//! [`Simulator`] and [`run`] execute a graph. The passes ([`cone`], [`compact`], [`reorder`],
//! [`remove_constant_latches`], [`remove_duplicate_latches`], [`substitute`], [`remap`], and
//! [`simplify`] for all of them) return a smaller graph and a [`Restore`] that maps literals
//! forward and traces back; [`normalise`] returns one that simple readers understand.
//! [`liveness_to_safety`] and [`k_liveness`] turn justice into bad states. [`random`] makes graphs
//! for tests.

mod cone;
mod constant;
mod duplicate;
mod graph;
mod liveness;
mod normalise;
pub mod random;
mod rebuild;
mod remap;
mod restore;
mod simplify;
mod simulate;
mod substitute;
#[cfg(test)]
mod tests;
mod two_level;

pub use cone::{Roots, compact, cone, reorder};
pub use constant::remove_constant_latches;
pub use duplicate::remove_duplicate_latches;
pub use graph::{Aig, Input, Latch, Lit, Named, Node, Reset, Var};
pub use liveness::{Monitored, k_liveness, liveness_to_safety};
pub use normalise::normalise;
pub use remap::remap;
pub use restore::Restore;
pub use simplify::simplify;
pub use simulate::{Frame, Simulator, Word, run};
pub use substitute::substitute;
