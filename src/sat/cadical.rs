//! CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0, CAV 2024; the crate
//! bundles its predecessor 1.9.5).

use super::poll::Poll;
use super::{Answer, Backend, Lit, Solver, Stats, Var};
use crate::base::{Budget, Id};

/// Ends CaDiCaL's search with the budget.
struct Terminator(Poll);

impl cadical::Callbacks for Terminator {
    fn terminate(&mut self) -> bool {
        self.0.stop().is_some()
    }
}

pub(super) struct CadicalSolver {
    inner: cadical::Solver<Terminator>,
    stats: Stats,
    /// The last answer, unless clauses were added since.
    answer: Option<Answer>,
}

impl CadicalSolver {
    pub(super) fn new() -> Self {
        // Most questions of model checking are unsatisfiable; without local search and stable
        // phases they were answered a tenth faster, and satisfiable ones no slower.
        let inner = cadical::Solver::with_config("unsat").expect("CaDiCaL has this configuration");
        Self { inner, stats: Stats::default(), answer: None }
    }
}

/// The literal's number in the DIMACS format.
fn dimacs(lit: Lit) -> i32 {
    let number = i32::try_from(lit.var().index() + 1).expect("more than 2^31 variables");
    if lit.is_negated() { -number } else { number }
}

impl Solver for CadicalSolver {
    fn backend(&self) -> Backend {
        Backend::Cadical
    }

    fn new_var(&mut self) -> Var {
        self.stats.vars += 1;
        Var::new(self.stats.vars - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.answer = None;
        self.stats.clauses += 1;
        self.inner.add_clause(lits.iter().copied().map(dimacs));
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        self.stats.solves += 1;
        let poll = Poll::new(budget);
        let answer = if let Some(stop) = poll.stop() {
            Answer::Unknown(stop)
        } else {
            self.inner.set_callbacks(Some(Terminator(poll)));
            match self.inner.solve_with(assumptions.iter().copied().map(dimacs)) {
                Some(true) => Answer::Sat,
                Some(false) => Answer::Unsat,
                None => {
                    let Terminator(poll) = self.inner.get_callbacks().expect("set above");
                    Answer::Unknown(poll.stop().expect("only the budget stops the solver"))
                }
            }
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "there is no model");
        self.inner.value(dimacs(lit.var().into())) == Some(!lit.is_negated())
    }

    fn failed(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Unsat), "there are no failed assumptions");
        self.inner.failed(dimacs(lit))
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}
