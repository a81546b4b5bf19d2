//! Literals and the trait.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use super::{batsat::BatsatSolver, cadical::CadicalSolver, scoped::ScopedSolver};
use crate::base::{Budget, Id, Stop};

crate::define_id! {
    /// A variable of a solver, made by [`Solver::new_var`].
    pub struct Var, "x";
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable, negated if `negated`.
    ///
    /// # Panics
    /// If the variable's index is 2^31 or more.
    pub fn new(var: Var, negated: bool) -> Self {
        let index = u32::try_from(var.index()).expect("ids have 32 bits");
        assert!(index < 1 << 31, "more than 2^31 variables in a solver");
        Lit(index << 1 | u32::from(negated))
    }

    /// The variable.
    pub fn var(self) -> Var {
        Var::new((self.0 >> 1) as usize)
    }

    /// Whether it is the variable's negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal, negated if `flip`.
    #[must_use]
    pub fn xor(self, flip: bool) -> Self {
        Lit(self.0 ^ u32::from(flip))
    }

    /// Twice the variable's index, and 1 more if it is negated.
    pub(super) fn code(self) -> u32 {
        self.0
    }

    /// The literal with this code.
    pub(super) fn from_code(code: u32) -> Self {
        Lit(code)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Lit {
        Lit::new(var, false)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", if self.is_negated() { "!" } else { "" }, self.var())
    }
}

/// What a solver says about its clauses and assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable; [`Solver::value`] tells the model.
    Sat,
    /// Unsatisfiable; [`Solver::failed`] tells which assumptions are to blame.
    Unsat,
    /// The budget ran out.
    Unknown(Stop),
}

/// Sizes, as given to the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Variables made.
    pub vars: usize,
    /// Clauses added.
    pub clauses: usize,
    /// Calls of [`Solver::solve`].
    pub solves: usize,
}

/// An incremental SAT solver.
pub trait Solver {
    /// The library behind it.
    fn backend(&self) -> Backend;

    /// Makes a variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause, for good; the empty clause makes all unsatisfiable. Ends the validity of
    /// the last answer.
    fn add_clause(&mut self, lits: &[Lit]);

    /// Adds clauses that define `var`: they allow it one value for each of the operands'. The
    /// variable is fresh, in no other clause and of no definition so far. A solver may leave
    /// open, see [`Solver::is_open`], what a question does not depend on through definitions.
    fn add_definition(&mut self, _var: Var, _operands: &[Lit], clauses: &[&[Lit]]) {
        for clause in clauses {
            self.add_clause(clause);
        }
    }

    /// Like [`Solver::solve`], with a clause that holds for this question only. A solver need not
    /// be able to forget such clauses without a trace: many of them may make it slow.
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit], budget: &Budget) -> Answer {
        let switch = Lit::from(self.new_var());
        let mut clause = clause.to_vec();
        clause.push(!switch);
        self.add_clause(&clause);
        let mut assumptions = assumptions.to_vec();
        assumptions.push(switch);
        self.solve(&assumptions, budget)
    }

    /// Is there a model of all clauses in which the assumptions hold? The budget is polled while
    /// the solver works, so that a hard question ends soon after its end.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer;

    /// The literal's value in the model. A variable that is made later, is in no clause, or is
    /// [open](Solver::is_open) has some value.
    ///
    /// # Panics
    /// If the last answer is not `Sat`, or a clause was added since.
    fn value(&self, lit: Lit) -> bool;

    /// Whether the model does not tell the variable's value, because the question does not depend
    /// on it: whatever values are given to open variables that no definition is for, the others
    /// can be given values that fit their definitions.
    ///
    /// # Panics
    /// Like [`Solver::value`].
    fn is_open(&self, _lit: Lit) -> bool {
        false
    }

    /// Whether the assumed literal belongs to a set of assumptions that is inconsistent with the
    /// clauses. No literal does if the clauses alone are inconsistent.
    ///
    /// # Panics
    /// If the last answer is not `Unsat`, or a clause was added since.
    fn failed(&self, lit: Lit) -> bool;

    /// Sizes.
    fn stats(&self) -> Stats;
}

/// The libraries there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// CaDiCaL 1.9.5, by Armin Biere and others; C++.
    Cadical,
    /// BatSat 0.6.0, a descendant of MiniSat; Rust.
    Batsat,
    /// This project's own, for many small questions about parts of a circuit.
    Scoped,
}

impl Backend {
    /// All of them; the first is the default.
    pub const ALL: [Backend; 3] = [Backend::Cadical, Backend::Batsat, Backend::Scoped];

    /// A solver without variables and clauses.
    pub fn solver(self) -> Box<dyn Solver> {
        match self {
            Backend::Cadical => Box::new(CadicalSolver::new()),
            Backend::Batsat => Box::new(BatsatSolver::new()),
            Backend::Scoped => Box::new(ScopedSolver::new()),
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Cadical => "cadical",
            Backend::Batsat => "batsat",
            Backend::Scoped => "scoped",
        }
    }

    /// A back end of another kind, to audit this one.
    #[must_use]
    pub fn other(self) -> Backend {
        match self {
            Backend::Cadical => Backend::Batsat,
            Backend::Batsat | Backend::Scoped => Backend::Cadical,
        }
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|b| b.name() == s).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown SAT solver `{s}`; there are: {names}")
        })
    }
}
