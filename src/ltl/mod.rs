//! Linear temporal logic over atoms of any kind.
//!
//! [`Formulas`] is an arena of formulas with until, release and next, from which the other
//! operators are made; [`Formulas::normal`] gives negation normal form. What a formula means is
//! said by [`Formulas::holds`] on words that repeat. [`Automaton`] is the explicit automaton of a
//! formula (R. Gerth, D. Peled, M. Y. Vardi, P. Wolper: Simple on-the-fly automatic verification
//! of linear temporal logic, PSTV 1995), and [`fair_lasso`] finds runs of a graph that see what
//! they must: the reference that circuits are tested against.

mod automaton;
mod fair;
mod formula;
#[cfg(test)]
mod tests;
mod word;

pub use automaton::{Automaton, Due, Step};
pub use fair::{Arc, Marks, Path, Requirement, fair_lasso};
pub use formula::{FormulaId, Formulas, Node};
