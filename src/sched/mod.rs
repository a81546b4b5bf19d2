//! The scheduler circuit: who moves in a frame, and what the next state is.

mod bounded;
mod free;
mod now;
mod parallel;
mod reduction;
mod scheduled;
mod sleep;
mod stubborn;

pub use bounded::schedule_bounded;
pub use free::{schedule_free, schedule_nothing};
pub use now::SchedulerFacts;
pub use parallel::{ParallelOptions, schedule_parallel};
pub use reduction::{Reduction, schedule};
pub use scheduled::Scheduled;
pub use stubborn::{StubbornOptions, schedule_peephole, schedule_stubborn};
