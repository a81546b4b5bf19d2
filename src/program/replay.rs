//! Replaying the steps of a schedule: a step takes a thread from one scheduling point to the next,
//! over one or more edges.

use std::fmt;

use super::interp::{Machine, State, StepError, StepInfo};
use super::types::{InputId, LocId, LocKind, ThreadId};

/// Why a step cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The edge after those already taken cannot be taken.
    Step {
        /// Number of edges taken before.
        taken: usize,
        /// Why.
        error: StepError,
    },
    /// The thread did not get to the step's end within this many edges.
    TooLong(usize),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { taken, error } => write!(f, "after {taken} edges of the step: {error}"),
            Self::TooLong(n) => write!(f, "the step does not end within {n} edges"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays one step: takes at least one edge of `thread`, and goes on until the thread is at
/// `until` or at a location that is not running (it then may have violated a site). `inputs`
/// gives the value of each input that an edge reads.
///
/// # Errors
/// If the thread cannot move before that, or takes more than `max_edges` edges. The state is then
/// the one after the edges that were taken.
pub fn run_step(
    machine: &Machine<'_>,
    state: &mut State,
    thread: ThreadId,
    until: LocId,
    inputs: &mut dyn FnMut(InputId) -> u128,
    max_edges: usize,
) -> Result<Vec<StepInfo>, ReplayError> {
    run_step_seen(machine, state, thread, until, inputs, max_edges, &mut |_| {})
}

/// As [`run_step`]; `seen` is called with the state after each edge.
///
/// # Errors
/// As [`run_step`].
pub fn run_step_seen(
    machine: &Machine<'_>,
    state: &mut State,
    thread: ThreadId,
    until: LocId,
    inputs: &mut dyn FnMut(InputId) -> u128,
    max_edges: usize,
    seen: &mut dyn FnMut(&State),
) -> Result<Vec<StepInfo>, ReplayError> {
    let mut steps = vec![];
    while steps.len() < max_edges {
        let info = machine
            .step(state, thread, inputs)
            .map_err(|error| ReplayError::Step { taken: steps.len(), error })?;
        seen(state);
        let over = info.site.is_some() || state.loc(thread) == until;
        steps.push(info);
        let kind = machine.program().threads[thread].locations[state.loc(thread)].kind;
        if over || kind != LocKind::Running {
            return Ok(steps);
        }
    }
    Err(ReplayError::TooLong(max_edges))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Id;
    use crate::program::InternalError;
    use crate::program::build::{EdgeSpec, ProgramBuilder};

    #[test]
    fn a_step_ends_where_it_should() {
        let mut b = ProgramBuilder::new(4);
        let main = b.thread("main");
        let x = b.shared("x", 8, 0);
        let loop_head = b.at(main);
        let next = b.plus(x, 1);
        b.add(main, loop_head, loop_head, EdgeSpec::new("x++").set(x, next).atomic_access());
        let program = b.finish();
        let machine = Machine::new(&program);

        let mut state = machine.initial();
        let steps = run_step(&machine, &mut state, main, loop_head, &mut |_| 0, 10).unwrap();
        assert_eq!((steps.len(), state.value(x)), (1, 1));
        let nowhere = LocId::new(1);
        let error = run_step(&machine, &mut state, main, nowhere, &mut |_| 0, 10).unwrap_err();
        assert_eq!((error, state.value(x)), (ReplayError::TooLong(10), 11));
    }

    #[test]
    fn a_step_reports_waiting_sites_and_choices() {
        let mut b = ProgramBuilder::new(4);
        let main = b.thread("main");
        let (x, n, m) = (b.shared("x", 2, 0), b.input("n", 2), b.mutex("m"));
        let choice = b.program().input(n);
        b.set(main, x, choice);
        let not_three = b.has_value(x, 1);
        let site = b.assert(main, not_three, "x == 1");
        b.lock(main, m);
        let first = b.at(main);
        b.lock(main, m);
        let second = b.at(main);
        let program = b.finish();
        let machine = Machine::new(&program);

        let mut state = machine.initial();
        let steps = run_step(&machine, &mut state, main, first, &mut |_| 3, 10).unwrap();
        assert_eq!(steps.last().unwrap().site, Some(site));
        assert_eq!((steps.len(), steps[0].changes.clone()), (2, vec![(x, 0, 3)]));

        let mut state = machine.initial();
        let steps = run_step(&machine, &mut state, main, first, &mut |_| 1, 10).unwrap();
        assert_eq!(steps.len(), 3);
        let error = run_step(&machine, &mut state, main, second, &mut |_| 0, 10).unwrap_err();
        assert_eq!(error, ReplayError::Step { taken: 0, error: StepError::Disabled(main) });
    }

    #[test]
    fn a_wrong_program_is_an_error() {
        let mut b = ProgramBuilder::new(4);
        let main = b.thread("main");
        let x = b.shared("x", 1, 0);
        let (from, one) = (b.at(main), b.has_value(x, 1));
        b.next(main, EdgeSpec::new("if x").guard(one));
        let program = b.finish();
        let machine = Machine::new(&program);
        let error = machine.step(&mut machine.initial(), main, &mut |_| 0).unwrap_err();
        assert_eq!(error, StepError::Internal(InternalError::NoEdge { thread: main, loc: from }));
    }
}
