//! What an exploration found.

use std::fmt;

use crate::base::{Id, IndexVec, Stop};
use crate::program::{
    InputId, InternalError, LocId, LocKind, Program, SiteId, State, Status, ThreadId,
};

/// One edge of a run, in the terms of `program::run_step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Who moves.
    pub thread: ThreadId,
    /// The values of the inputs that the edge reads.
    pub inputs: Vec<(InputId, u128)>,
    /// Where the edge leads.
    pub until: LocId,
}

/// A run from the start of the program, one step an edge.
pub type Run = Vec<RunStep>;

/// What a state is in which no thread can move. The first that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// Some thread is discarded.
    Discarded,
    /// Some thread has stopped.
    Stopped,
    /// All threads have ended or were never created.
    Ended,
    /// Some thread waits for ever.
    Deadlock,
}

impl Terminal {
    /// The kind of a state in which no thread can move.
    pub fn of(program: &Program, state: &State) -> Self {
        let kind = |t: ThreadId| program.threads[t].locations[state.loc(t)].kind;
        let any = |k: LocKind| program.threads.ids().any(|t| kind(t) == k);
        if any(LocKind::Discarded) {
            Self::Discarded
        } else if any(LocKind::Stopped) {
            Self::Stopped
        } else if unended(program, state).next().is_none() {
            Self::Ended
        } else {
            Self::Deadlock
        }
    }
}

/// The threads that were created and have not ended: in a deadlock, those that wait.
pub fn unended<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = ThreadId> + 'a {
    program.threads.iter_enumerated().filter_map(|(t, thread)| {
        let loc = state.loc(t);
        let unborn =
            t.index() != 0 && loc == thread.start && state.value(thread.status) != Status::RUNNING;
        let ended = thread.locations[loc].kind == LocKind::Ended;
        (!unborn && !ended).then_some(t)
    })
}

/// Numbers of states in which no thread can move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Of kind [`Terminal::Discarded`].
    pub discarded: usize,
    /// Of kind [`Terminal::Stopped`].
    pub stopped: usize,
    /// Of kind [`Terminal::Ended`].
    pub ended: usize,
    /// Of kind [`Terminal::Deadlock`].
    pub deadlock: usize,
}

impl Terminals {
    pub(super) fn count(&mut self, kind: Terminal) {
        *match kind {
            Terminal::Discarded => &mut self.discarded,
            Terminal::Stopped => &mut self.stopped,
            Terminal::Ended => &mut self.ended,
            Terminal::Deadlock => &mut self.deadlock,
        } += 1;
    }
}

/// Why not all states were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// There are more states than this limit.
    MaxStates(usize),
    /// The budget is used up.
    Stopped(Stop),
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxStates(n) => write!(f, "more than {n} states"),
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Number of different states.
    pub states: usize,
    /// Number of steps taken from expanded states: one for each enabled thread that was chosen
    /// and each combination of input values.
    pub transitions: usize,
    /// Number of steps from the start to the state that is farthest away.
    pub depth: usize,
    /// A shortest run that violates each site, where there is one.
    pub sites: IndexVec<SiteId, Option<Run>>,
    /// A shortest run to a state in which each invariant is false, where there is one.
    pub invariants: Vec<Option<Run>>,
    /// How many states have no successor.
    pub terminals: Terminals,
    /// A shortest run into a deadlock, if there is one.
    pub deadlock: Option<Run>,
    /// The number of runs to a state without successors, if they were counted and none goes on for
    /// ever.
    pub paths: Option<f64>,
    /// Why some states may be missing above; `None` if all were seen.
    pub incomplete: Option<Incomplete>,
}

impl Exploration {
    /// No state was seen, of a program with so many sites, and invariants to check.
    pub fn unexplored(sites: usize, invariants: usize, why: Incomplete) -> Self {
        Self {
            states: 0,
            transitions: 0,
            depth: 0,
            sites: IndexVec::filled(None, sites),
            invariants: vec![None; invariants],
            terminals: Terminals::default(),
            deadlock: None,
            paths: None,
            incomplete: Some(why),
        }
    }

    /// The violated sites and their runs, in order of the sites.
    pub fn violated(&self) -> impl Iterator<Item = (SiteId, &Run)> {
        self.sites.iter_enumerated().filter_map(|(s, run)| Some((s, run.as_ref()?)))
    }
}

/// Why a program cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// An edge chooses from too many values.
    InputTooWide {
        /// The widest input of the edge.
        input: InputId,
        /// Its name.
        name: String,
        /// Bits of all inputs of the edge.
        bits: u32,
        /// The limit.
        limit: u32,
    },
    /// A thread may stay inside an atomic section for ever, which the search for runs that go on for
    /// ever does not allow.
    EndlessSection(ThreadId),
    /// The program is wrong.
    Internal(InternalError),
}

impl From<InternalError> for ExploreError {
    fn from(e: InternalError) -> Self {
        Self::Internal(e)
    }
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputTooWide { name, bits, limit, .. } => write!(
                f,
                "input {name} is too wide for the explorer: its edge chooses from {bits} bits, \
                 the limit is {limit}"
            ),
            Self::EndlessSection(t) => write!(f, "an atomic section of thread {t:?} may not end"),
            Self::Internal(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}
