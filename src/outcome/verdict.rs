//! Verdicts of engines about one bad-state property of a circuit, and schedules of programs.

use std::fmt;
use std::sync::Arc;

use crate::aig::{Aig, Lit};
use crate::base::Stop;
use crate::program::{InputId, LocId, SiteId, ThreadId};

/// Why a property holds. Each kind can be re-checked by `engine::audit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// No run has more than `depth` moves, and none of up to `depth` moves is bad.
    Completeness {
        /// Number of moves (frames before the last one).
        depth: usize,
    },
    /// The bad state is combinationally or trivially unreachable in every frame.
    Trivial,
    /// An inductive invariant as a circuit: it is true in every initial state; from a state where
    /// it is true a step that meets the constraints leads to a state where it is true; and no
    /// state where it is true, with any inputs that meet the constraints, is bad.
    Circuit {
        /// A circuit without latches, with an input for each latch, in order; its first output
        /// is the invariant.
        invariant: Arc<Aig>,
    },
    /// An inductive invariant: its clauses hold in every initial state; from a state where they
    /// hold a step that meets the constraints leads to a state where they hold; and no state
    /// where they hold, with any inputs that meet the constraints, is bad. The property itself is
    /// no part of the invariant: the clauses alone do all this.
    Invariant {
        /// Clauses over latches: (position in `Aig::latches`, value). A clause holds where one of
        /// its latches has the value given.
        clauses: Vec<Vec<(usize, bool)>>,
    },
    /// An inductive invariant of legal frames, that is of states and inputs that meet the
    /// constraints: clauses over latches and equalities of signals. They hold in every legal first
    /// frame; in a legal frame after one in which they hold; and no legal frame in which they
    /// hold is bad.
    Signals {
        /// Clauses as for [`Certificate::Invariant`].
        clauses: Vec<Vec<(usize, bool)>>,
        /// Pairs of literals that are equal.
        equal: Vec<(Lit, Lit)>,
    },
    /// k-induction: no run is bad in its first `k` frames, and no path (from any state) of `k`
    /// frames that are not bad goes on to a bad one. All frames meet the constraints, and all but
    /// the last move if the problem says what moves are.
    KInduction {
        /// Number of frames before the last one of the paths.
        k: usize,
        /// Whether only simple paths are meant: no two of the `k + 1` frames have equal values in
        /// all latches that the property and the constraints depend on.
        unique: bool,
        /// An inductive invariant that all frames of the paths meet: clauses over latches as for
        /// [`Certificate::Invariant`]. They hold initially and after each step from a state where
        /// they hold; they need not exclude bad states.
        clauses: Vec<Vec<(usize, bool)>>,
    },
    /// A tool of somebody else says so, and gives nothing that could be re-checked.
    Claim,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit of time or memory, or cancellation, when all frames below `depth` were clean.
    Stopped {
        /// Which limit.
        stop: Stop,
        /// Number of frames known to be clean, if any.
        depth: Option<usize>,
    },
    /// The engine's own limit of nodes of decision diagrams.
    Nodes {
        /// The limit.
        limit: usize,
        /// Number of frames known to be clean, if any.
        depth: Option<usize>,
    },
    /// The engine's own bound on frames was reached; all frames up to it are clean.
    Depth(usize),
    /// The engine was asked for the first violation only, and found that of another property.
    /// Frames below this position, 0 being the first, are known to be clean, if any.
    FirstOnly(Option<usize>),
    /// All properties that the user asked about are violated, and this implicit one was not
    /// pursued. Frames below this position are known to be clean, if any.
    AllAskedViolated(Option<usize>),
    /// The engine cannot treat this.
    Unsupported(String),
    /// What went wrong with a tool of somebody else, or with what it says, in one line.
    Tool(String),
}

impl Reason {
    /// The depth that was reached, if any.
    pub fn depth(&self) -> Option<usize> {
        match self {
            Reason::Stopped { depth, .. }
            | Reason::Nodes { depth, .. }
            | Reason::FirstOnly(depth)
            | Reason::AllAskedViolated(depth) => *depth,
            Reason::Depth(d) => Some(*d),
            Reason::Unsupported(_) | Reason::Tool(_) => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped { stop, .. } => write!(f, "{stop}")?,
            Reason::Nodes { limit, .. } => write!(f, "limit of {limit} nodes")?,
            Reason::Depth(_) => f.write_str("bound reached")?,
            Reason::FirstOnly(_) => f.write_str("another property was violated first")?,
            Reason::AllAskedViolated(_) => f.write_str("not pursued after the violation")?,
            Reason::Unsupported(what) | Reason::Tool(what) => f.write_str(what)?,
        }
        self.depth().map_or(Ok(()), |depth| write!(f, ", depth {depth}"))
    }
}

/// An engine's answer about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It cannot be violated.
    Safe(Certificate),
    /// A run that violates it.
    Unsafe(Trace),
    /// Not known.
    Unknown(Reason),
}

/// A run of a circuit that ends in a bad frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The property: position in `Aig::bads`.
    pub bad: usize,
    /// Values of all latches in the first frame, in order.
    pub initial: Vec<bool>,
    /// Values of all inputs, in order, for each frame up to and including the bad one.
    pub inputs: Vec<Vec<bool>>,
}

/// One step of a schedule: a thread runs from one scheduling point to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleStep {
    /// Who moves.
    pub thread: ThreadId,
    /// The choices that the step's edges make; those not listed are 0.
    pub inputs: Vec<(InputId, u128)>,
    /// The step takes at least one edge and ends when the thread is here, or has stopped.
    pub until: LocId,
}

/// A run of a program, to be replayed by the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The steps in order.
    pub steps: Vec<ScheduleStep>,
    /// The site that the last step violates; `None` if the final state violates an invariant.
    pub site: Option<SiteId>,
}
