//! Sequential sweeping: latches and signals that are equal in all reachable states become one,
//! and engines get the smaller circuit that is left.
//!
//! [Relations](super::relations) between latches are proved first. Constants and equivalences
//! among them remove latches. Then signals that agree in random runs are merged if a solver
//! proves them equal in all states in which the relations hold, from the inputs on, each in terms
//! of what is merged already (Kuehlmann, Paruthi, Krohm, Ganai: Robust Boolean reasoning for
//! equivalence checking and functional property verification, IEEE Transactions on CAD 21(12),
//! 2002; with an invariant as in van Eijk, see there).
//!
//! So all that the smaller circuit's proofs rest on is an invariant in clauses over latches:
//! [`Swept::verdict`] adds it to an invariant of the smaller circuit, and the audit checks both
//! together on the original. Traces are mapped back by the circuit's [`Restore`].

mod merge;
mod signatures;
mod swept;

use super::Problem;
use super::relations::{RelationOptions, relations};
use crate::aig::{Aig, Named, Restore, Roots, cone, remap, substitute};
use crate::base::{Budget, Stop};
use crate::sat::Backend;

pub use swept::Swept;

/// Options of [`sweep`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// How relations are looked for.
    pub relations: RelationOptions,
    /// Number of sets of 64 random runs that tell signals apart.
    pub runs: usize,
    /// Number of frames of each run.
    pub frames: usize,
    /// Most passes over the signals; each learns from the states that told signals apart in the
    /// ones before.
    pub passes: usize,
    /// The SAT solver.
    pub backend: Backend,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self {
            relations: RelationOptions::default(),
            runs: 2,
            frames: 32,
            passes: 8,
            backend: Backend::Scoped,
        }
    }
}

/// The problem's circuit, swept.
///
/// # Errors
/// The reason, if the budget ends first.
pub fn sweep(problem: &Problem, options: &SweepOptions, budget: &Budget) -> Result<Swept, Stop> {
    let (aig, first) = rooted(problem);
    let clauses = relations(&aig, &options.relations, budget)?;
    let equal = merge::equal(&aig, &clauses, options, budget)?;
    let (aig, second) = substitute(&aig, &equal);
    let (aig, third) = cone(&aig, Roots::PropertiesAndOutputs);
    let clauses = clauses.iter().map(|c| original(&first, c)).collect();
    let (aig, fourth) = remap(&aig, budget);
    Ok(Swept { aig, restore: first.then(&second).then(&third).then(&fourth), clauses })
}

/// What the problem's properties and signals depend on; the signals are its outputs.
fn rooted(problem: &Problem) -> (Aig, Restore) {
    let mut aig = problem.aig.clone();
    let signals = problem.moved.into_iter().chain(problem.can_move);
    aig.outputs = signals.map(|value| Named { value, name: None }).collect();
    cone(&aig, Roots::PropertiesAndOutputs)
}

/// The clause of the reduced circuit in terms of the original's latches.
fn original(restore: &Restore, clause: &[(usize, bool)]) -> Vec<(usize, bool)> {
    let latches = restore.original_latches();
    let position = |k: usize| latches[k].expect("each latch that stays is one of the original");
    clause.iter().map(|&(k, value)| (position(k), value)).collect()
}
