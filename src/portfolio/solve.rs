//! The answers of a plan.

use std::fmt;

use super::plan::Plan;
use super::race::Race;
use crate::base::Budget;
use crate::engine::audit::Fault as AuditFault;
use crate::engine::{Problem, Progress};
use crate::outcome::{Trace, Verdict};

/// The accepted answer about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict. A counterexample has been simulated and replayed.
    pub verdict: Verdict,
    /// Whether the audit has confirmed a proof.
    pub audited: bool,
    /// Name of the engine that answered; `None` if it is unknown.
    pub by: Option<&'static str>,
}

/// What became of a member.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MemberReport {
    /// The engine's name.
    pub engine: String,
    /// How many answers of it were accepted.
    pub answers: usize,
    /// The depth that it reached, if it counts any.
    pub depth: Option<usize>,
    /// How it ended, where not with answers to all: `stopped`, or the reason of an unknown answer.
    pub end: Option<String>,
}

impl fmt::Display for MemberReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        if self.answers > 0 {
            write!(f, " answered {}", self.answers)?;
        }
        match (&self.end, self.depth) {
            (None, _) => Ok(()),
            (Some(end), Some(depth)) if !end.contains("depth") => {
                write!(f, ", {end} at depth {depth}")
            }
            (Some(end), _) => write!(f, ", {end}"),
        }
    }
}

/// The answers to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// One for each of `problem.bads`, in order.
    pub answers: Vec<Answer>,
    /// One for each member of the plan, and for each that is missing.
    pub members: Vec<MemberReport>,
}

/// An answer of ours is wrong: a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The audit refutes an embedded engine.
    Refuted(&'static str, AuditFault),
    /// A counterexample is right on the circuit, but not elsewhere, for this reason.
    Replay(String),
    /// The first engine's proof was audited, and the second one's counterexample simulated.
    Contradiction(&'static str, &'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Refuted(engine, fault) => {
                write!(f, "the audit refutes an answer of {engine}: {fault}")
            }
            Fault::Replay(why) => write!(f, "a counterexample does not replay: {why}"),
            Fault::Contradiction(safe, violated) => {
                write!(f, "{safe} proves what {violated} refutes")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Says whether the counterexample to the property at this position of `problem.bads`, which is
/// one on the circuit, is one of what the circuit stands for, and if not, why.
pub type Replayer<'a> = dyn FnMut(usize, &Trace) -> Result<(), String> + 'a;

/// Runs the plan's engines until each property has an accepted answer, or they end.
///
/// # Errors
/// If an answer of ours turns out to be wrong.
pub fn solve(
    plan: &Plan,
    problem: &Problem,
    replay: &mut Replayer,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<Solved, Fault> {
    Race::new(plan, problem, budget).run(replay, progress)
}
