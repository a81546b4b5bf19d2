//! A CDCL solver for many small questions about parts of one circuit, as IC3 asks them.
//!
//! It is a MiniSat (Eén, Sörensson: An extensible SAT-solver, SAT 2003: two watched literals,
//! first unique implication points, activity-ordered decisions, saved phases) with three changes
//! (Su, Yang, Ci, Li, Bu, Huang: Deeply optimizing the SAT solver for the IC3 algorithm, CAV 2025):
//!
//! - *Scope.* A question concerns the variables that its assumptions and its clause depend on
//!   through [definitions](super::Solver::add_definition), and those of all plain clauses.
//!   Others are neither decided nor propagated: whatever the scope's values are, definitions can
//!   be met outside of it. Learned clauses are consequences of the clauses as usual, so an
//!   unsatisfiable answer is one about all of them.
//! - *Clauses of one question* leave nothing behind: one switch literal serves all of them, and
//!   what is learned from such a clause contains the switch and is removed with it.
//! - The order of decisions is made for each question, from its scope only.

mod analyze;
mod clauses;
mod order;
mod propagate;
mod search;
mod solver;
mod state;

pub(super) use solver::ScopedSolver;
