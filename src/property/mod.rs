//! What is asked of a program: which sites, which invariants.
//!
//! A [`Question`] is resolved against a program, so that slicing, encoding and scheduling know
//! what it looks at ([`Question::observed_vars`], [`Question::observed_locs`]).

mod expression;
mod question;

pub use expression::{Atom, AtomPool, Invariant, ParseError, parse_invariant};
pub use question::{PropertyKind, Question, Target, TargetKind, resolve};
