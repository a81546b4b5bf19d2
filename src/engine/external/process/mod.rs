//! Supervision of programs of others.
//!
//! [`run`] starts a program in a process group of its own, with limits of wall time, CPU time,
//! memory and output, and leaves nothing behind: whatever way the run ends, all processes that it
//! started are killed, also those that left the group (found by a mark in their environment,
//! where the system has `/proc`) and those that ignore signals. Output goes to files, not pipes:
//! a process that got away would keep a pipe open and with it the reader waiting.

mod limits;
mod supervise;
mod sweep;
#[cfg(test)]
mod tests;

pub use limits::Limits;
pub use supervise::{End, Finished, Job, Usage, run};
