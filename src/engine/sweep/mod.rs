//! Sequential sweeping: latches and signals that are equal in all reachable states become one,
//! and engines get the smaller circuit that is left. (Measured before IC3 on circuits of threads:
//! a minute becomes hundredths of a second for some, and a third of the time is saved for others
//! that take seconds; for those that take less, finding equal signals takes longer than it saves.)
//!
//! [Relations](super::relations) between latches are proved first. Then latches and signals that
//! agree in random runs are taken for equal, and those that a solver finds different, initially
//! or after a step from a state where all equalities and relations hold, are told apart, until
//! the rest is inductive (van Eijk: Sequential equivalence checking based on structural
//! similarities, IEEE Transactions on CAD 19(7), 2000; the frame before is built from
//! representatives only, as in Mony, Baumgartner, Mishchenko, Brayton: Speculative
//! reduction-based scalable redundancy identification, DATE 2009). What is left is
//! [restructured](crate::aig::remap).
//!
//! All that the smaller circuit's proofs rest on is the relations and equalities:
//! [`Swept::verdict`] adds them to an invariant of the smaller circuit, and the audit checks all
//! together on the original. Traces are mapped back by the circuit's [`Restore`].

mod merge;
mod signatures;
mod swept;

use super::Problem;
use super::relations::{RelationOptions, relations};
use crate::aig::{Aig, Lit, Named, Restore, Roots, Var, cone, remap, substitute};
use crate::base::{Budget, IndexVec, Stop};
use crate::sat::Backend;

pub use swept::Swept;

/// Options of [`sweep`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// How relations are looked for.
    pub relations: RelationOptions,
    /// Whether latches and signals that are equal in all reachable states become one; otherwise
    /// only latches do of which the relations say so.
    pub signals: bool,
    /// Number of sets of 64 random runs that tell signals apart.
    pub runs: usize,
    /// Number of frames of each run.
    pub frames: usize,
    /// The SAT solver.
    pub backend: Backend,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self {
            relations: RelationOptions::default(),
            signals: true,
            runs: 2,
            frames: 32,
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
    let equal = match options.signals {
        true => merge::equal(&aig, &clauses, options, budget)?,
        false => merge::equal_latches(&aig, &clauses),
    };
    let (swept, second) = substitute(&aig, &equal);
    let (swept, third) = cone(&swept, Roots::PropertiesAndOutputs);
    let (swept, fourth) = remap(&swept, budget);
    let original = Original::new(problem.aig, &aig, &first);
    let pairs = equal.iter_enumerated().filter_map(|(var, lit)| Some((var, (*lit)?)));
    Ok(Swept {
        clauses: clauses.iter().map(|c| original.clause(c)).collect(),
        // Equal latches are a consequence of the clauses.
        equal: pairs
            .filter(|_| options.signals)
            .map(|(v, lit)| (original.lit(Lit::new(v, false)), original.lit(lit)))
            .collect(),
        restore: first.then(&second).then(&third).then(&fourth),
        aig: swept,
    })
}

/// What the problem's properties and signals depend on; the signals are its outputs.
fn rooted(problem: &Problem) -> (Aig, Restore) {
    let mut aig = problem.aig.clone();
    let signals = problem.moved.into_iter().chain(problem.can_move);
    aig.outputs = signals.map(|value| Named { value, name: None }).collect();
    cone(&aig, Roots::PropertiesAndOutputs)
}

/// The way back from a reduced circuit, for clauses and literals.
struct Original {
    /// For each latch its position in the original.
    latches: Vec<Option<usize>>,
    /// For each node a literal of the original.
    lits: IndexVec<Var, Option<Lit>>,
}

impl Original {
    fn new(original: &Aig, reduced: &Aig, restore: &Restore) -> Self {
        let mut lits = IndexVec::filled(None, reduced.nodes().len());
        for var in original.nodes().ids() {
            if let Some(lit) = restore.lit(Lit::new(var, false)) {
                lits[lit.var()].get_or_insert(Lit::new(var, lit.is_negated()));
            }
        }
        Self { latches: restore.original_latches(), lits }
    }

    fn lit(&self, lit: Lit) -> Lit {
        let of = self.lits[lit.var()].expect("each node that stays is one of the original");
        of.xor(lit.is_negated())
    }

    fn clause(&self, clause: &[(usize, bool)]) -> Vec<(usize, bool)> {
        let position =
            |k: usize| self.latches[k].expect("each latch that stays is one of the original");
        clause.iter().map(|&(k, value)| (position(k), value)).collect()
    }
}
