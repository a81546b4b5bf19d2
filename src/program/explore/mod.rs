//! The explicit-state explorer: the reference that circuits and reductions are tested against.
//!
//! It enumerates, breadth first, all states that the interpreter can reach from a program's start
//! by interleaving edges of threads, for all values of all inputs, and so finds every violated
//! site with a shortest schedule. It is for small programs. What may be left out to see fewer
//! states is decided by a [`Reduction`]; [`Full`] leaves nothing out.

mod live;
mod pack;
mod reduction;
mod report;
mod search;
mod steps;
mod stubborn;
mod sums;
mod visited;

#[cfg(test)]
mod tests;

pub use live::{FairRuns, GraphOptions, LassoError, StateGraph, waits_for_lock};
pub use reduction::{Full, Reduction};
pub use report::{
    Exploration, ExploreError, Incomplete, Run, RunStep, Terminal, Terminals, unended,
};
pub use search::{ExploreOptions, Explorer};
pub use steps::{Boundary, Moves, StepExplorer};
pub use stubborn::{Stubborn, StubbornRules, Token, Tokens};
pub use visited::VisitedKind;
