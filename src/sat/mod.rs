//! SAT solvers behind one thin trait: incremental clauses, solving under assumptions within a
//! [`Budget`](crate::base::Budget), models and failed assumptions.
//!
//! A caller makes a solver with [`Backend::solver`], variables with [`Solver::new_var`], and never
//! sees the library behind it. One conformance suite (the tests of this module) runs on every back
//! end. The back ends have no code in common, so that one can audit the answers of the other.

mod batsat;
mod cadical;
mod poll;
mod scoped;
mod solver;
#[cfg(test)]
mod tests;

pub use solver::{Answer, Backend, Lit, Solver, Stats, Var};
