//! Random thread programs, for tests and fuzzing.
//!
//! They are small (mostly below a few thousand states), pass `program::validate`, and have
//! exclusive and, where they must, exhaustive guards. They use everything that a thread program
//! has: loads and stores, atomic updates, mutexes, atomic sections, waiting, branches, loops that
//! end and loops that need not, threads that are created (some again and again) and joined,
//! assumptions, assertions, arrays accessed by address inside and outside of their bounds and
//! lifetime, choices, and ends of the process. The same seed gives the same program.

mod disciplined;
mod expressions;
mod generator;
mod statements;

#[cfg(test)]
mod tests;

pub use disciplined::{DisciplineOptions, random_disciplined};
pub use generator::{RandomOptions, random_program};
