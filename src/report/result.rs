//! What a run found, for every form of report.

use std::time::Duration;

use crate::base::Diagnostic;
use crate::outcome::{Schedule, Trace};
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

/// What the explorer counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ExplorationCounts {
    /// Different states.
    pub states: usize,
    /// Moves from them.
    pub transitions: usize,
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
    /// The run of the exported circuit, if the answer comes from the circuit.
    pub witness: Option<Trace>,
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
    /// No circuit is needed: the analyses show that no run gets there.
    Unreachable,
    /// All states were enumerated.
    Explored {
        /// How many there are.
        states: usize,
    },
}

impl Evidence {
    /// The evidence for both of two things.
    pub fn weaker(self, other: Self) -> Self {
        match (self, other) {
            (Evidence::Unreachable, x) | (x, Evidence::Unreachable) => x,
            (Evidence::Explored { .. }, _) => self,
            (_, Evidence::Explored { .. }) => other,
            (
                Evidence::Complete { depth: a, audited: x },
                Evidence::Complete { depth: b, audited: y },
            ) => Evidence::Complete { depth: a.max(b), audited: x && y },
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
    /// Sizes.
    pub statistics: Statistics,
    /// What the explorer counted, if it was the explorer.
    pub exploration: Option<ExplorationCounts>,
    /// Name of the engine.
    pub engine: &'static str,
    /// Which interleavings were left out.
    pub reduction: Reduction,
    /// Wall time from the budget's start.
    pub elapsed: Duration,
}

impl CheckReport {
    /// What a depth counts, if it is not the steps of one thread at a time: ` of foata`, for example.
    pub fn depth_unit(&self) -> String {
        match self.reduction {
            Reduction::None => String::new(),
            reduction => format!(" of {reduction}"),
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
