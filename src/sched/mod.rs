//! The scheduler circuit: who moves in a frame, and what the next state is.

mod free;
mod parallel;
mod reduction;
mod scheduled;

pub use free::schedule_free;
pub use parallel::{ParallelOptions, schedule_parallel};
pub use reduction::{Reduction, schedule};
pub use scheduled::Scheduled;
