//! The solver's interface.

use super::super::poll::Poll;
use super::super::{Answer, Backend, Lit, Solver, Stats, Var};
use super::search::Found;
use super::state::{State, Value};
use crate::base::{Budget, Id};

/// The solver. Inside of it variable 0 switches the clauses of one question, and the caller's
/// variables follow.
pub(in super::super) struct ScopedSolver {
    state: State,
    stats: Stats,
    /// The last answer, unless clauses were added since.
    answer: Option<Answer>,
    /// The failed assumptions of the last answer, sorted.
    core: Vec<Lit>,
}

/// The switch: assumed by questions with a clause of their own.
fn switch() -> Lit {
    Lit::from(Var::new(0))
}

/// The caller's literal, inside.
fn inside(lit: Lit) -> Lit {
    Lit::from_code(lit.code() + 2)
}

impl ScopedSolver {
    pub(in super::super) fn new() -> Self {
        let mut state = State::new();
        state.new_var();
        Self { state, stats: Stats::default(), answer: None, core: vec![] }
    }

    /// Adds a clause for good.
    fn add(&mut self, lits: &[Lit]) {
        self.answer = None;
        self.stats.clauses += 1;
        self.state.settle();
        let mut clause: Vec<Lit> = lits.iter().copied().map(inside).collect();
        if !self.state.simplify(&mut clause) {
            return;
        }
        match clause[..] {
            [] => self.state.inconsistent = true,
            [unit] => self.state.enqueue(unit, None),
            _ => {
                let clause = self.state.attach(&clause, 0);
                self.state.original.push(clause);
            }
        }
    }

    fn ask(&mut self, clause: Option<&[Lit]>, assumptions: &[Lit], budget: &Budget) -> Answer {
        self.stats.solves += 1;
        self.core.clear();
        let state = &mut self.state;
        state.settle();
        let poll = Poll::new(budget);
        if let Some(stop) = poll.stop() {
            return Answer::Unknown(stop);
        }
        state.inconsistent |= state.propagate().is_some();
        if state.inconsistent {
            return Answer::Unsat;
        }
        state.reduce();
        if state.clauses.is_sparse() {
            state.compact();
        }
        let clause: Option<Vec<Lit>> =
            clause.map(|c| c.iter().copied().map(inside).chain([!switch()]).collect());
        let mut assumed: Vec<Lit> = clause.iter().map(|_| switch()).collect();
        assumed.extend(assumptions.iter().copied().map(inside));
        let lits = clause.iter().flatten().chain(&assumed);
        state.enter_scope(lits.map(|l| l.var()));
        if let Some(mut clause) = clause
            && state.simplify(&mut clause)
        {
            if clause.len() == 1 {
                return Answer::Unsat;
            }
            let clause = state.attach(&clause, 0);
            state.passing.push(clause);
        }
        match state.search(&assumed, switch(), &poll) {
            Found::Model => Answer::Sat,
            Found::Stopped(stop) => Answer::Unknown(stop),
            Found::Core(core) => {
                self.core = core;
                self.core.sort_unstable();
                Answer::Unsat
            }
        }
    }
}

impl State {
    /// Ends the last question.
    fn settle(&mut self) {
        self.order.clear();
        self.ordered = false;
        self.backtrack(0);
        // A clause that ends with the question may have switched itself off on level 0.
        if self.value(switch()) != Value::Open {
            self.retract(!switch());
        }
        while let Some(clause) = self.passing.pop() {
            self.detach(clause);
        }
    }

    /// Sorts the clause and removes what level 0 and other literals of the clause make
    /// superfluous; false if it is true anyway.
    fn simplify(&self, clause: &mut Vec<Lit>) -> bool {
        clause.sort_unstable();
        clause.dedup();
        clause.retain(|&l| self.value(l) != Value::False);
        let holds = |w: &[Lit]| w[0] == !w[1];
        !clause.windows(2).any(holds) && clause.iter().all(|&l| self.value(l) == Value::Open)
    }

    /// Starts a question about these variables.
    fn enter_scope(&mut self, roots: impl Iterator<Item = Var>) {
        self.question += 1;
        self.scope.clear();
        let (question, vars, scope) = (self.question, &mut self.vars, &mut self.scope);
        let mut enter = |var: Var, scope: &mut Vec<Var>| {
            let state = &mut vars[var.index()];
            if state.scope != question {
                state.scope = question;
                scope.push(var);
            }
            state.definition
        };
        for var in self.always.iter().copied().chain(roots) {
            enter(var, scope);
        }
        let mut next = 0;
        while let Some(&var) = scope.get(next) {
            next += 1;
            let (start, end) = enter(var, scope);
            for &operand in &self.operands[start as usize..end as usize] {
                enter(operand, scope);
            }
        }
    }

    /// Puts a variable into the scope of every question.
    fn enter_always(&mut self, var: Var) {
        if !std::mem::replace(&mut self.var_mut(var).always, true) {
            self.always.push(var);
        }
    }
}

impl Solver for ScopedSolver {
    fn backend(&self) -> Backend {
        Backend::Scoped
    }

    fn new_var(&mut self) -> Var {
        self.stats.vars += 1;
        let var = self.state.new_var();
        Var::new(var.index() - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        // A single literal that nothing defines is settled by its value on level 0.
        let settled = |l: Lit| lits.len() == 1 && self.state.is_undefined(inside(l).var());
        if !lits.iter().any(|&l| settled(l)) {
            for &lit in lits {
                self.state.enter_always(inside(lit).var());
            }
        }
        self.add(lits);
    }

    fn add_definition(&mut self, var: Var, operands: &[Lit], clauses: &[&[Lit]]) {
        let var = inside(var.into()).var();
        assert!(self.state.is_undefined(var), "a variable is defined once");
        let start = self.state.operands.len();
        self.state.operands.extend(operands.iter().map(|&l| inside(l).var()));
        let range = (start as u32, self.state.operands.len() as u32);
        self.state.var_mut(var).definition = range;
        for clause in clauses {
            self.add(clause);
        }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        let answer = self.ask(None, assumptions, budget);
        self.answer = Some(answer);
        answer
    }

    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit], budget: &Budget) -> Answer {
        let answer = self.ask(Some(clause), assumptions, budget);
        self.answer = Some(answer);
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "there is no model");
        match self.state.value(inside(lit)) {
            Value::Open => lit.is_negated(),
            value => value == Value::True,
        }
    }

    fn is_open(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Sat), "there is no model");
        self.state.value(inside(lit)) == Value::Open
    }

    fn failed(&self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Unsat), "there are no failed assumptions");
        self.core.binary_search(&inside(lit)).is_ok()
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}
