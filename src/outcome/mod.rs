//! Answers and their evidence: verdicts, traces of circuits, schedules of programs.
//!
//! Nothing may say safe without a [`Certificate`], and every unsafe answer carries a
//! [`Trace`], or a [`Lasso`] where it is about justice.

mod live;
mod verdict;

pub use live::{Lasso, LassoSchedule, LiveVerdict, Reduction};
pub use verdict::{Certificate, Reason, Schedule, ScheduleStep, Trace, Verdict};
