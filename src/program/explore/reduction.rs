//! Which threads are expanded in a state.

use crate::program::{Machine, State, ThreadId};

/// Chooses the threads whose next edges the explorer follows in a state.
pub trait Reduction {
    /// Appends to `chosen` some of the `enabled` threads (ascending, at least one) of a state.
    fn choose(
        &mut self,
        machine: &Machine<'_>,
        state: &State,
        enabled: &[ThreadId],
        chosen: &mut Vec<ThreadId>,
    );
}

/// All enabled threads: no reduction.
pub struct Full;

impl Reduction for Full {
    fn choose(
        &mut self,
        _: &Machine<'_>,
        _: &State,
        enabled: &[ThreadId],
        chosen: &mut Vec<ThreadId>,
    ) {
        chosen.extend(enabled);
    }
}
