//! Re-checks the answers of engines by other means than theirs: a violation is simulated, a
//! certificate is checked by a SAT solver of another kind on an unrolling that shares no code
//! with the engines' (every node of every frame has a variable; nothing is folded or hashed).
//!
//! For [`Certificate::Completeness`](crate::outcome::Certificate) with depth `k` the check is, in
//! each frame up to `k`, that no run of moves reaches the bad state there, and that no run has a
//! move in frame `k`; and that the frames that do not move stutter, without which it would not be
//! enough to look at moves (see the [engines' documentation](super)). The other certificates are
//! checked as their documentation says: the parts of an inductive invariant one by one; for
//! k-induction the first frames as above, and the step on an unrolling from any state.

mod circuit;
mod depth;
mod induction;
mod invariant;
mod signals;
mod straight;
mod trace;

use std::fmt;

use super::Problem;
use crate::base::{Budget, Stop};
use crate::outcome::{Certificate, Verdict};
use crate::sat::Backend;

/// Options of [`audit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditOptions {
    /// The SAT solver; it should be another one than the engine's.
    pub backend: Backend,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self { backend: Backend::default().other() }
    }
}

/// What the audit found about a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audit {
    /// The verdict is right. (An unknown verdict claims nothing, so it always is.)
    Confirmed,
    /// The verdict, or its evidence, is wrong.
    Refuted(Fault),
    /// The budget ran out.
    NotDone(Stop),
    /// There is no evidence to check.
    NoEvidence,
}

/// What is wrong with a verdict. Positions are those of the circuit's lists; frames count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The trace is about the property at this position, not the one asked about.
    OtherProperty(usize),
    /// The trace has no frame, or not a value for each latch, or not one for each input.
    Shape,
    /// The trace's first value of this latch is not its reset value.
    Reset(usize),
    /// This constraint does not hold in this frame of the trace.
    Constraint {
        /// Position of the constraint.
        constraint: usize,
        /// The frame.
        frame: usize,
    },
    /// The trace's last frame is not bad.
    NotBad,
    /// The property called safe is violated after this many moves.
    Violated(usize),
    /// A run has another move after the last one that the certificate allows.
    NotComplete,
    /// After the last move some input makes `can_move` true though `moved` cannot be.
    CanMoveDisagrees,
    /// A frame does not move and yet changes a latch, this many moves after the start.
    NoStutter(usize),
    /// Some state makes the property called trivial bad.
    NotTrivial,
    /// The loop does not come back to the value of this latch.
    LoopOpen(usize),
    /// The justice set's literal at this position is true in no frame of the loop.
    NotJust(usize),
    /// The fairness literal at this position is true in no frame of the loop.
    NotFair(usize),
    /// The invariant's circuit has not the right inputs and outputs.
    InvariantShape,
    /// The invariant's circuit is false in an initial state.
    InvariantNotInitial,
    /// A step leads out of the invariant's circuit.
    InvariantNotInductive,
    /// The invariant is about a latch at this position, which the circuit has not.
    NoLatch(usize),
    /// The invariant's clause at this position can be false in the first frame.
    NotInitial(usize),
    /// A step leads from the invariant to a state where its clause at this position is false.
    NotInductive(usize),
    /// The invariant contains a bad state.
    NotStrong,
    /// The pair of signals at this position of the certificate can differ in a first frame.
    NotEqual(usize),
    /// The pair of signals at this position can differ after a step.
    NotInductiveSignals(usize),
    /// The certificate names a signal that there is not.
    NoSignal,
    /// A path of this many good frames goes on to a bad one.
    NoInduction(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OtherProperty(bad) => write!(f, "the trace is about property {bad}"),
            Fault::Shape => f.write_str("the trace has not the circuit's latches and inputs"),
            Fault::Reset(latch) => write!(f, "latch {latch} does not start with its reset value"),
            Fault::Constraint { constraint, frame } => {
                write!(f, "constraint {constraint} is violated in frame {frame} of the trace")
            }
            Fault::NotBad => f.write_str("the trace does not end in a bad state"),
            Fault::Violated(k) => write!(f, "a bad state is reachable in frame {k}"),
            Fault::NotComplete => f.write_str("runs can be longer than claimed"),
            Fault::CanMoveDisagrees => f.write_str("`can_move` is true where nothing can move"),
            Fault::NoStutter(k) => {
                write!(f, "in frame {k} a latch can change though nothing moves")
            }
            Fault::NotTrivial => f.write_str("the property is not trivially true"),
            Fault::LoopOpen(k) => {
                write!(f, "the loop does not come back to the value of latch {k}")
            }
            Fault::NotJust(k) => write!(f, "justice literal {k} is never true in the loop"),
            Fault::NotFair(k) => write!(f, "fairness literal {k} is never true in the loop"),
            Fault::InvariantShape => {
                f.write_str("the invariant's circuit does not fit the circuit's latches")
            }
            Fault::InvariantNotInitial => f.write_str("the invariant is not initially true"),
            Fault::InvariantNotInductive => f.write_str("the invariant is not inductive"),
            Fault::NoLatch(k) => write!(f, "the invariant mentions latch {k}, which there is not"),
            Fault::NotInitial(k) => write!(f, "clause {k} of the invariant is not initially true"),
            Fault::NotInductive(k) => write!(f, "clause {k} of the invariant is not inductive"),
            Fault::NotStrong => f.write_str("the invariant contains a bad state"),
            Fault::NotEqual(k) => write!(f, "signals of pair {k} are not equal initially"),
            Fault::NotInductiveSignals(k) => write!(f, "equality of pair {k} is not inductive"),
            Fault::NoSignal => f.write_str("the certificate names a signal which there is not"),
            Fault::NoInduction(k) => write!(f, "the property is not {k}-inductive"),
        }
    }
}

/// An invariant's clauses: (position of a latch, value).
type Clauses = Vec<Vec<(usize, bool)>>;

/// Checks the verdicts on `problem.bads`, which stand in the same order.
///
/// # Panics
/// If there is not one verdict for each property of the problem.
pub fn audit(
    problem: &Problem,
    verdicts: &[Verdict],
    options: &AuditOptions,
    budget: &Budget,
) -> Vec<Audit> {
    assert_eq!(problem.bads.len(), verdicts.len(), "one verdict for each property");
    let mut audits = vec![Audit::Confirmed; verdicts.len()];
    // Properties with the same certificate are checked together.
    let mut groups: Vec<(&Certificate, Vec<usize>)> = vec![];
    for (k, verdict) in verdicts.iter().enumerate() {
        match verdict {
            Verdict::Unsafe(run) => audits[k] = trace::check(problem.aig, problem.bads[k], run),
            Verdict::Safe(certificate) => {
                match groups.iter_mut().find(|(other, _)| *other == certificate) {
                    Some((_, members)) => members.push(k),
                    None => groups.push((certificate, vec![k])),
                }
            }
            Verdict::Unknown(_) => {}
        }
    }
    for (certificate, members) in groups {
        let bads: Vec<usize> = members.iter().map(|&k| problem.bads[k]).collect();
        let found = proof(problem, &bads, certificate, options.backend, budget);
        for (k, audit) in members.into_iter().zip(found) {
            audits[k] = audit;
        }
    }
    audits
}

/// Checks a certificate for the properties at the positions `bads`; an audit for each.
fn proof(
    problem: &Problem,
    bads: &[usize],
    certificate: &Certificate,
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    let aig = problem.aig;
    match certificate {
        Certificate::Trivial => {
            bads.iter().map(|&bad| depth::trivial(aig, bad, backend, budget)).collect()
        }
        Certificate::Completeness { depth } => {
            depth::complete(problem, bads, *depth, backend, budget)
        }
        Certificate::Circuit { invariant } => circuit::check(aig, bads, invariant, backend, budget),
        Certificate::Invariant { clauses } => invariant::check(aig, bads, clauses, backend, budget),
        Certificate::Signals { clauses, equal } => {
            signals::check(aig, bads, &signals::Claim { clauses, equal }, backend, budget)
        }
        Certificate::KInduction { k, unique, clauses } => {
            let claim = induction::Claim { k: *k, unique: *unique, clauses };
            let check = |&bad: &usize| induction::check(problem, bad, &claim, backend, budget);
            bads.iter().map(check).collect()
        }
        Certificate::Claim => vec![Audit::NoEvidence; bads.len()],
    }
}
