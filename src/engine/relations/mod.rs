//! Relations between latches that hold in every reachable state: constants, equivalences and
//! implications, as clauses of one or two literals that are inductive together.
//!
//! Candidates are what random runs do not refute (signature classes, van Eijk: Sequential
//! equivalence checking based on structural similarities, IEEE Transactions on CAD 19(7), 2000).
//! From them those are dropped, with what depends on them, that a step from a state where all
//! hold can break (Flanagan, Leino: Houdini, an annotation assistant for ESC/Java, FME 2001);
//! the rest proves itself. The result is sound whatever the random runs were, and stays small:
//! implications are only looked for between representatives of equivalence classes.

mod candidates;
mod induction;
mod samples;

use crate::aig::Aig;
use crate::base::{Budget, Stop};
use crate::sat::Backend;

/// A disjunction over latches: (position in `Aig::latches`, value).
pub type Clause = Vec<(usize, bool)>;

/// Options of [`relations`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationOptions {
    /// Number of sets of 64 random runs.
    pub runs: usize,
    /// Number of frames of each run.
    pub frames: usize,
    /// Most implications to try; 0: only constants and equivalences.
    pub implications: usize,
    /// The SAT solver.
    pub backend: Backend,
}

impl Default for RelationOptions {
    fn default() -> Self {
        Self { runs: 8, frames: 64, implications: 2000, backend: Backend::Scoped }
    }
}

/// Clauses that hold in all initial states, and after each step that meets the constraints from a
/// state in which all of them hold.
///
/// # Errors
/// The reason, if the budget ends first.
pub fn relations(
    aig: &Aig,
    options: &RelationOptions,
    budget: &Budget,
) -> Result<Vec<Clause>, Stop> {
    let samples = samples::Samples::random(aig, options.runs, options.frames, budget)?;
    let mut candidates = candidates::candidates(&samples, options.implications, budget)?;
    candidates.retain(|clause| holds_initially(aig, clause));
    induction::inductive(aig, candidates, options.backend, budget)
}

/// Whether the resets alone make the clause true.
fn holds_initially(aig: &Aig, clause: &Clause) -> bool {
    use crate::aig::Reset;
    clause.iter().any(|&(latch, value)| match aig.latches()[latch].reset {
        Reset::Zero => !value,
        Reset::One => value,
        Reset::Free => false,
    })
}
