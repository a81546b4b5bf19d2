//! The way back.

use super::Original;
use crate::aig::{Aig, Lit, Restore};
use crate::engine::Problem;
use crate::engine::relations::Clause;
use crate::outcome::{Certificate, Reason, Trace, Verdict};

/// A smaller circuit for a problem. The two are equal where `clauses` and `equal` hold, as they
/// do in all runs.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The circuit. It has the original's bads, at the same positions.
    pub aig: Aig,
    /// The way back to the original circuit.
    pub restore: Restore,
    /// An inductive invariant of the original circuit, in its latches.
    pub clauses: Vec<Clause>,
    /// Literals of the original circuit that equal each other in all legal frames of all runs;
    /// with the clauses they are inductive.
    pub equal: Vec<(Lit, Lit)>,
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

    /// What a verdict on the smaller circuit says about the original one, whose circuit is `aig`.
    pub fn verdict(&self, aig: &Aig, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsafe(trace) => {
                let (initial, inputs) = self.restore.run(&trace.initial, &trace.inputs);
                Verdict::Unsafe(Trace { bad: self.restore.bad(trace.bad), initial, inputs })
            }
            Verdict::Safe(Certificate::Trivial)
                if self.clauses.is_empty() && self.equal.is_empty() =>
            {
                verdict
            }
            Verdict::Safe(Certificate::Trivial) => self.invariant(aig, &[]),
            Verdict::Safe(Certificate::Invariant { clauses }) => self.invariant(aig, &clauses),
            Verdict::Safe(Certificate::Completeness { .. } | Certificate::Claim)
            | Verdict::Unknown(_) => verdict,
            Verdict::Safe(
                Certificate::KInduction { .. }
                | Certificate::Signals { .. }
                | Certificate::Circuit { .. },
            ) => {
                // Paths that are simple in the smaller circuit need not be so in the original.
                Verdict::Unknown(Reason::Unsupported("this proof on a swept circuit".into()))
            }
        }
    }

    /// An invariant of the smaller circuit as one of the original, with relations and equalities.
    fn invariant(&self, aig: &Aig, clauses: &[Clause]) -> Verdict {
        let original = Original::new(aig, &self.aig, &self.restore);
        let mapped = clauses.iter().map(|c| original.clause(c));
        let clauses = mapped.chain(self.clauses.iter().cloned()).collect();
        Verdict::Safe(match self.equal.is_empty() {
            true => Certificate::Invariant { clauses },
            false => Certificate::Signals { clauses, equal: self.equal.clone() },
        })
    }
}
