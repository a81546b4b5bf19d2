//! The way back.

use super::original;
use crate::aig::{Aig, Restore};
use crate::engine::Problem;
use crate::engine::relations::Clause;
use crate::outcome::{Certificate, Reason, Trace, Verdict};

/// A smaller circuit for a problem. The two are equal where `clauses` hold, which they do in all
/// reachable states.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The circuit. It has the original's bads, at the same positions.
    pub aig: Aig,
    /// The way back to the original circuit.
    pub restore: Restore,
    /// An inductive invariant of the original circuit, in its latches.
    pub clauses: Vec<Clause>,
}

impl Swept {
    /// The original problem, about the smaller circuit.
    pub fn problem(&self, original: &Problem) -> Problem<'_> {
        Problem {
            aig: &self.aig,
            bads: original.bads.clone(),
            asked: original.asked.clone(),
            moved: original.moved.and_then(|l| self.restore.lit(l)),
            can_move: original.can_move.and_then(|l| self.restore.lit(l)),
            parts: vec![],
        }
    }

    /// What a verdict on the smaller circuit says about the original one.
    pub fn verdict(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsafe(trace) => {
                let (initial, inputs) = self.restore.run(&trace.initial, &trace.inputs);
                Verdict::Unsafe(Trace { bad: self.restore.bad(trace.bad), initial, inputs })
            }
            Verdict::Safe(Certificate::Trivial) if !self.clauses.is_empty() => {
                Verdict::Safe(Certificate::Invariant { clauses: self.clauses.clone() })
            }
            Verdict::Safe(Certificate::Invariant { clauses }) => {
                Verdict::Safe(Certificate::Invariant { clauses: self.with_relations(&clauses) })
            }
            Verdict::Safe(Certificate::KInduction { unique: true, .. }) => {
                // Paths that are simple in the smaller circuit need not be so in the original.
                Verdict::Unknown(Reason::Unsupported("simple paths of a swept circuit".into()))
            }
            Verdict::Safe(Certificate::KInduction { k, unique, clauses }) => {
                let clauses = self.with_relations(&clauses);
                Verdict::Safe(Certificate::KInduction { k, unique, clauses })
            }
            Verdict::Safe(Certificate::Circuit { .. }) => {
                Verdict::Unknown(Reason::Unsupported("this proof on a swept circuit".into()))
            }
            Verdict::Safe(
                Certificate::Trivial | Certificate::Completeness { .. } | Certificate::Claim,
            )
            | Verdict::Unknown(_) => verdict,
        }
    }

    /// An invariant of the smaller circuit as one of the original, together with `clauses`.
    fn with_relations(&self, clauses: &[Clause]) -> Vec<Clause> {
        let mapped = clauses.iter().map(|c| original(&self.restore, c));
        mapped.chain(self.clauses.iter().cloned()).collect()
    }
}
