//! Hardware model checkers of others as engines.
//!
//! A [`Tool`] is one that was found on this machine, a [`Method`] one way of driving it, and
//! [`External`] the engine made of both. Each question becomes files in a temporary directory and
//! a supervised run ([`process`]) on one property: the circuit's own, or the disjunction of all
//! that are open, which one run proves together.
//!
//! Nothing is believed. A verdict must be stated once, in the tool's own words, with the exit
//! code that belongs to it; anything else is unknown, with the lines that were found. A
//! counterexample is simulated on our circuit before it is passed on. An invariant is handed on
//! as a [`Certificate`](crate::outcome::Certificate) of our circuit, for [`audit`](super::audit)
//! to check; an answer without one is [`Certificate::Claim`](crate::outcome::Certificate), which
//! no audit confirms.

mod abc;
mod engine;
mod method;
mod model;
pub mod process;
mod ric3;
mod smv;
#[cfg(test)]
mod tests;
mod tool;
mod transcript;

pub use engine::{External, ExternalOptions};
pub use method::Method;
pub use tool::{Search, Tool, ToolKind};
