//! What is asked of a program: which sites, which invariants, which temporal formulas.
//!
//! A [`Question`] is resolved against a program, so that slicing, encoding and scheduling know
//! what it looks at ([`Question::observed_vars`], [`Question::observed_locs`]).

mod expression;
mod ltl;
mod question;
#[cfg(test)]
mod tests;

pub use expression::{Atom, AtomPool, Invariant, ParseError, parse_invariant};
pub use ltl::{Fairness, Ltl, parse_ltl};
pub use question::{PropertyKind, Question, Target, TargetKind, resolve};
