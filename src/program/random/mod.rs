//! Random thread programs, for tests and fuzzing.
//!
//! They are small (mostly below a few thousand states), pass `program::validate`, and have
//! exclusive and, where they must, exhaustive guards. They use everything that a thread program
//! has: loads and stores, atomic updates, mutexes, a read-write lock, atomic sections, waiting, branches, loops of
//! all shapes (at the start and the end of threads, nested, with several ways in and out, without
//! anything that others see), dead code, threads that are created (some again and again) and
//! joined, threads of equal code, assumptions, assertions, arrays accessed by address inside and
//! outside of their bounds and lifetime, choices, and ends of the process while others run. The
//! same seed gives the same program.

mod disciplined;
mod expressions;
mod generator;
mod loops;
mod observe;
mod rwlocks;
mod shapes;
mod statements;

#[cfg(test)]
mod tests;

pub use disciplined::{DisciplineOptions, random_disciplined};
pub use generator::{RandomOptions, random_program};
pub use observe::add_observers;
