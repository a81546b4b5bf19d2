//! What a run found, for every form of report.

use std::time::Duration;

use crate::aig::Aig;
use crate::base::Diagnostic;
use crate::engine::certificate::Unsupported;
use crate::outcome::{Lasso, Schedule, Trace};
use crate::portfolio::MemberReport;
use crate::program::Program;
use crate::property::{PropertyKind, Target};
use crate::sched::Reduction;
use crate::witness::Replay;

/// Sizes, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// Thread instances.
    pub threads: usize,
    /// Locations of all threads.
    pub locations: usize,
    /// Scheduling points of all threads.
    pub steps: usize,
    /// Inputs of the circuit that engines see.
    pub inputs: usize,
    /// Its latches.
    pub latches: usize,
    /// Its ands.
    pub ands: usize,
}

impl Statistics {
    /// The sizes of a program, without a circuit.
    pub fn of(program: &Program) -> Self {
        Self {
            threads: program.threads.len(),
            locations: program.threads.iter().map(|t| t.locations.len()).sum(),
            ..Self::default()
        }
    }
}

/// What the explorer counted.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ExplorationCounts {
    /// Different states.
    pub states: usize,
    /// Moves from them.
    pub transitions: usize,
    /// Runs that end, if they were counted and none goes on for ever.
    pub paths: Option<f64>,
    /// Moves from the start to the state that is farthest away.
    pub depth: usize,
    /// States without a move in which all threads have ended.
    pub ended: usize,
    /// States without a move in which some thread waits.
    pub deadlocked: usize,
    /// States without a move in which some `assume` was false.
    pub discarded: usize,
    /// States without a move in which some thread has stopped.
    pub stopped: usize,
}

/// A violated target, replayed.
#[derive(Debug)]
pub struct Violation {
    /// What is violated.
    pub target: Target,
    /// The schedule.
    pub schedule: Schedule,
    /// What the interpreter did on it.
    pub replay: Replay,
    /// Of a run that goes on for ever: position in `replay.edges` of the first edge of what is
    /// repeated. Nothing moves any more if there is no such edge.
    pub cycle_start: Option<usize>,
    /// The run of the exported circuit, if the answer comes from the circuit.
    pub witness: Option<Trace>,
    /// The same of a run that goes on for ever.
    pub lasso: Option<Lasso>,
}

/// Why a property is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// No run has more than `depth` moves; `audited` tells whether a solver of another kind
    /// confirmed it within the budget.
    Complete {
        /// Number of moves.
        depth: usize,
        /// Whether it was confirmed.
        audited: bool,
    },
    /// An inductive invariant of the circuit excludes it.
    Invariant {
        /// Number of clauses.
        clauses: usize,
        /// Whether a solver of another kind confirmed it within the budget.
        audited: bool,
    },
    /// An inductive invariant of the circuit, itself a circuit, excludes it.
    Circuit {
        /// Number of its ands.
        ands: usize,
        /// Whether a solver of another kind confirmed it within the budget.
        audited: bool,
    },
    /// It is inductive over paths of `k` steps in the circuit.
    Induction {
        /// Number of steps.
        k: usize,
        /// Whether a solver of another kind confirmed it within the budget.
        audited: bool,
    },
    /// A tool of somebody else says so, without evidence.
    Claimed,
    /// No circuit is needed: the analyses show that no run gets there.
    Unreachable,
    /// All states were enumerated.
    Explored {
        /// How many there are.
        states: usize,
    },
}

impl Evidence {
    /// The evidence for both of two things: the kind that shows more, the larger size, and audited
    /// if both are.
    pub fn weaker(self, other: Self) -> Self {
        let (mut more, less) =
            if self.rank() >= other.rank() { (self, other) } else { (other, self) };
        if let (
            Evidence::Complete { audited, .. }
            | Evidence::Invariant { audited, .. }
            | Evidence::Circuit { audited, .. }
            | Evidence::Induction { audited, .. },
            Some(also),
        ) = (&mut more, less.audited())
        {
            *audited &= also;
        }
        more
    }

    /// Whether a solver of another kind confirmed it; `None` where there is nothing to confirm.
    pub fn audited(self) -> Option<bool> {
        match self {
            Evidence::Complete { audited, .. }
            | Evidence::Invariant { audited, .. }
            | Evidence::Circuit { audited, .. }
            | Evidence::Induction { audited, .. } => Some(audited),
            Evidence::Claimed => Some(false),
            Evidence::Unreachable | Evidence::Explored { .. } => None,
        }
    }

    /// Kind and size.
    fn rank(self) -> (u8, usize) {
        match self {
            Evidence::Unreachable => (0, 0),
            Evidence::Complete { depth, .. } => (1, depth),
            Evidence::Induction { k, .. } => (2, k),
            Evidence::Invariant { clauses, .. } => (3, clauses),
            Evidence::Circuit { ands, .. } => (4, ands),
            Evidence::Explored { states } => (5, states),
            Evidence::Claimed => (6, 0),
        }
    }
}

/// The verdict on a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// It holds.
    Safe(Evidence),
    /// It is violated: positions in [`PropertyReport::violations`].
    Unsafe,
    /// Not known.
    Unknown(String),
}

/// The report on one property.
#[derive(Debug)]
pub struct PropertyReport {
    /// The property.
    pub property: PropertyKind,
    /// The verdict.
    pub verdict: PropertyVerdict,
    /// What is violated, by place.
    pub violations: Vec<Violation>,
    /// Places that are neither violated nor proved.
    pub open: Vec<Target>,
    /// Number of frames that the engine looked at.
    pub depth: Option<usize>,
    /// Names of the engines that answered, if several ran or could have.
    pub engines: Vec<&'static str>,
}

/// The proof that a bad state of the circuit is not reachable, for checkers of others.
#[derive(Debug)]
pub struct Proof {
    /// Position of the bad state in the circuit; the exported model is about it alone.
    pub bad: usize,
    /// The model.
    pub model: Aig,
    /// Its witness circuit, see `engine::certificate`.
    pub witness: Result<Aig, Unsupported>,
}

/// One circuit, or the explorer's state space: what some of the properties were checked on.
#[derive(Clone, Debug)]
pub struct CircuitReport {
    /// The properties.
    pub properties: Vec<PropertyKind>,
    /// Which interleavings were left out.
    pub reduction: Reduction,
    /// Why it is not the one that was asked for, if it is not.
    pub reduction_off: Option<String>,
    /// Sizes; `None` if a limit was reached before it was there.
    pub statistics: Option<Statistics>,
    /// What became of the engines, if there were several.
    pub members: Vec<MemberReport>,
    /// Wall time from the budget's start to its last answer.
    pub elapsed: Duration,
}

/// The report on a run of `check`.
#[derive(Debug)]
pub struct CheckReport {
    /// The program.
    pub program: Program,
    /// Remarks of the front end.
    pub warnings: Vec<Diagnostic>,
    /// One report for each property: those of the user, and implicit ones that are not safe.
    pub properties: Vec<PropertyReport>,
    /// What the properties were checked on.
    pub circuits: Vec<CircuitReport>,
    /// What the explorer counted, if it was the explorer.
    pub exploration: Option<ExplorationCounts>,
    /// Proofs, if they were asked for.
    pub proofs: Vec<Proof>,
    /// Name of the engine, or of the preset of engines.
    pub engine: &'static str,
    /// Wall time from the budget's start.
    pub elapsed: Duration,
}

impl CheckReport {
    /// Who answered about a property.
    pub fn engines_of(&self, property: &PropertyReport) -> String {
        match property.engines.as_slice() {
            [] => self.engine.to_owned(),
            engines => engines.join(" and "),
        }
    }

    /// What a property was checked on.
    pub fn circuit_of(&self, property: &PropertyKind) -> Option<&CircuitReport> {
        self.circuits.iter().find(|c| c.properties.contains(property))
    }

    /// Wall time from the budget's start to the answer about a property.
    pub fn elapsed_of(&self, property: &PropertyKind) -> Duration {
        self.circuit_of(property).map_or(self.elapsed, |c| c.elapsed)
    }

    /// What a depth counts, if it is not the steps of one thread at a time: ` of foata`, for
    /// example.
    pub fn depth_unit(&self, property: &PropertyReport) -> String {
        match self.circuit_of(&property.property).map(|c| c.reduction) {
            None | Some(Reduction::None) => String::new(),
            Some(reduction) => format!(" of {reduction}"),
        }
    }

    /// 10 if a property is violated, 5 if one is not known, else 0.
    pub fn exit_code(&self) -> i32 {
        let any = |f: fn(&PropertyVerdict) -> bool| self.properties.iter().any(|p| f(&p.verdict));
        if any(|v| *v == PropertyVerdict::Unsafe) {
            10
        } else if any(|v| matches!(v, PropertyVerdict::Unknown(_))) {
            5
        } else {
            0
        }
    }
}
