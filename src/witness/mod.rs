//! From a run of the circuit to a schedule of the program, and its replay in the interpreter.
//!
//! What a trace shows comes from the replay, never from latches.

mod lift;
mod replay;

pub use lift::Lifter;
pub use replay::{
    Executed, LassoReplay, Mismatch, Replay, ReplayOptions, holds, is_deadlock, replay,
    replay_lasso, show_value,
};
