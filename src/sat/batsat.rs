//! BatSat (Simon Cruanes, Masaki Hara), a port of MiniSat (Eén, Sörensson, SAT 2003) to Rust,
//! through RustSAT's interface.

use std::rc::Rc;

use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{self, TernaryVal};
use rustsat_batsat::BasicSolver;

use super::poll::Poll;
use super::{Answer, Backend, Lit, Solver, Stats, Var};
use crate::base::{Budget, Id};

/// BatSat's functions return errors only when called in a wrong state, which the state kept here
/// excludes.
const IN_STATE: &str = "BatSat accepts the call in this state";

pub(super) struct BatsatSolver {
    inner: BasicSolver,
    stats: Stats,
    /// The last answer, unless clauses were added since.
    answer: Option<Answer>,
    /// Number of variables when the last answer was given.
    solved_vars: usize,
    /// The failed assumptions of the last answer, sorted.
    core: Vec<types::Lit>,
}

impl BatsatSolver {
    pub(super) fn new() -> Self {
        Self {
            inner: BasicSolver::default(),
            stats: Stats::default(),
            answer: None,
            solved_vars: 0,
            core: vec![],
        }
    }

    fn search(&mut self, assumptions: &[Lit], poll: Poll) -> Answer {
        if let Some(last) = self.stats.vars.checked_sub(1) {
            self.inner.reserve(types::Var::new(last as u32)).expect(IN_STATE);
        }
        let poll = Rc::new(poll);
        let shared = Rc::clone(&poll);
        self.inner.batsat_mut().cb_mut().set_stop(move || shared.stop().is_some());
        let assumptions: Vec<_> = assumptions.iter().copied().map(foreign).collect();
        match self.inner.solve_assumps(&assumptions).expect(IN_STATE) {
            SolverResult::Sat => Answer::Sat,
            SolverResult::Unsat => {
                // BatSat's core is a clause: the negations of the assumptions.
                self.core = self.inner.core().expect(IN_STATE).iter().map(|&l| !l).collect();
                self.core.sort_unstable();
                Answer::Unsat
            }
            SolverResult::Interrupted => {
                Answer::Unknown(poll.stop().expect("only the budget stops the solver"))
            }
        }
    }
}

/// RustSAT's form of the literal.
fn foreign(lit: Lit) -> types::Lit {
    types::Lit::new(lit.var().index() as u32, lit.is_negated())
}

impl Solver for BatsatSolver {
    fn backend(&self) -> Backend {
        Backend::Batsat
    }

    fn new_var(&mut self) -> Var {
        self.stats.vars += 1;
        Var::new(self.stats.vars - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.answer = None;
        self.stats.clauses += 1;
        let clause: Vec<_> = lits.iter().copied().map(foreign).collect();
        self.inner.add_clause_ref(&clause).expect(IN_STATE);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        self.stats.solves += 1;
        self.solved_vars = self.stats.vars;
        let poll = Poll::new(budget);
        let answer = match poll.stop() {
            Some(stop) => Answer::Unknown(stop),
            None => self.search(assumptions, poll),
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "there is no model");
        if lit.var().index() >= self.solved_vars {
            return lit.is_negated();
        }
        let value = self.inner.lit_val(foreign(lit.var().into())).expect(IN_STATE);
        (value == TernaryVal::True) != lit.is_negated()
    }

    fn failed(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Unsat), "there are no failed assumptions");
        self.core.binary_search(&foreign(lit)).is_ok()
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}
