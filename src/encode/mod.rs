//! From a thread program to the step relation of each thread, over the states of a transition
//! system.
//!
//! One step of a thread executes the operation at its current scheduling point and all invisible
//! operations after it, up to the next scheduling point, as one if-converted update. [`points`]
//! chooses the scheduling points, [`state`] the states and their widths, [`steps`] builds the
//! update in one pass over the thread's locations, [`memory`] splits accesses by address into
//! cases, [`commute`] finds what steps do in sum. Nothing here decides who moves: that is the
//! scheduler's.

mod commute;
mod footprint;
mod memory;
mod points;
mod state;
mod steps;

pub use commute::Added;
pub use footprint::Footprint;
pub use points::Points;
pub use state::{StateMap, Stored};
pub use steps::{EncodeOptions, Encoding, StepTouch, ThreadStep, encode};
