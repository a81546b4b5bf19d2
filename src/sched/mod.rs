//! The scheduler circuit: who moves in a frame, and what the next state is.

mod free;

pub use free::{Scheduled, schedule_free};
