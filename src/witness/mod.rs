//! From a run of the circuit to a schedule of the program, and its replay in the interpreter.
//!
//! What a trace shows comes from the replay, never from latches.

mod lift;
mod live;
mod replay;

pub use lift::Lifter;
pub use live::{LassoReplay, replay_lasso, replay_ltl};
pub use replay::{
    Executed, Mismatch, Replay, ReplayOptions, holds, is_deadlock, replay, show_value,
};
