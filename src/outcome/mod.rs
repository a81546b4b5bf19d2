//! Answers and their evidence: verdicts, traces of circuits, schedules of programs.
//!
//! Nothing may say safe without a [`Certificate`], and every unsafe answer carries a [`Trace`].

mod verdict;

pub use verdict::{Certificate, Reason, Schedule, ScheduleStep, Trace, Verdict};
