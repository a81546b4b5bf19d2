//! What the solver's parts share: assignment, clauses, scope.

use super::super::{Lit, Var};
use super::clauses::{ClauseRef, Clauses};
use super::order::Order;
use crate::base::Id;

/// A literal's value in the assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Open,
    True,
    False,
}

/// A clause in the list of a literal that it watches: one of its first two.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) clause: ClauseRef,
    /// Another literal of the clause; the other one if it has two.
    pub(super) blocker: Lit,
    pub(super) binary: bool,
}

/// What is known of a variable.
#[derive(Clone, Copy)]
pub(super) struct VarState {
    /// The clause that has implied its value; `None` for decisions and on level 0.
    pub(super) reason: Option<ClauseRef>,
    /// The level of its value.
    pub(super) level: u32,
    /// The last question that it was in the scope of.
    pub(super) scope: u32,
    /// A range of `State::operands`: what defines it.
    pub(super) definition: (u32, u32),
    /// Its last value.
    pub(super) phase: bool,
    /// Whether it is in the scope of every question.
    pub(super) always: bool,
    /// Scratch of the analysis of conflicts.
    pub(super) seen: bool,
}

/// The first value of `State::most_learned`.
const MOST_LEARNED: usize = 2000;

/// The state of the search.
pub(super) struct State {
    /// By a literal's code.
    pub(super) values: Vec<Value>,
    /// By a literal's code, the clauses to look at when it becomes false.
    pub(super) watches: Vec<Vec<Watch>>,
    pub(super) vars: Vec<VarState>,
    /// The variables that define others.
    pub(super) operands: Vec<Var>,
    /// Literals in the order in which they became true.
    pub(super) trail: Vec<Lit>,
    /// For each level from 1 on, where its literals start in the trail.
    pub(super) levels: Vec<usize>,
    /// Number of literals of the trail that are propagated.
    pub(super) head: usize,
    pub(super) order: Order,
    /// Whether `order` holds the open variables of the scope.
    pub(super) ordered: bool,
    pub(super) clauses: Clauses,
    pub(super) original: Vec<ClauseRef>,
    pub(super) learned: Vec<ClauseRef>,
    /// Number of learned clauses after which some are removed.
    pub(super) most_learned: usize,
    /// Clauses that end with the question.
    pub(super) passing: Vec<ClauseRef>,
    /// Number of the current question.
    pub(super) question: u32,
    /// The current question's scope.
    pub(super) scope: Vec<Var>,
    /// Variables in the scope of every question.
    pub(super) always: Vec<Var>,
    /// Whether the clauses alone are known to be inconsistent.
    pub(super) inconsistent: bool,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            values: vec![],
            watches: vec![],
            vars: vec![],
            operands: vec![],
            trail: vec![],
            levels: vec![],
            head: 0,
            order: Order::new(),
            ordered: false,
            clauses: Clauses::default(),
            original: vec![],
            learned: vec![],
            most_learned: MOST_LEARNED,
            passing: vec![],
            question: 0,
            scope: vec![],
            always: vec![],
            inconsistent: false,
        }
    }

    pub(super) fn new_var(&mut self) -> Var {
        self.vars.push(VarState {
            reason: None,
            level: 0,
            scope: 0,
            definition: (0, 0),
            phase: false,
            always: false,
            seen: false,
        });
        self.values.extend([Value::Open; 2]);
        self.watches.extend([vec![], vec![]]);
        self.order.grow();
        Var::new(self.vars.len() - 1)
    }

    pub(super) fn value(&self, lit: Lit) -> Value {
        self.values[lit.code() as usize]
    }

    pub(super) fn var(&self, var: Var) -> &VarState {
        &self.vars[var.index()]
    }

    pub(super) fn var_mut(&mut self, var: Var) -> &mut VarState {
        &mut self.vars[var.index()]
    }

    /// Whether the variable has no definition.
    pub(super) fn is_undefined(&self, var: Var) -> bool {
        let (start, end) = self.var(var).definition;
        start == end
    }

    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Stores a clause of at least two literals, the first two of which are watched.
    pub(super) fn attach(&mut self, lits: &[Lit], rank: u32) -> ClauseRef {
        let clause = self.clauses.add(lits, rank);
        let binary = lits.len() == 2;
        for (lit, blocker) in [(lits[0], lits[1]), (lits[1], lits[0])] {
            self.watches[lit.code() as usize].push(Watch { clause, blocker, binary });
        }
        clause
    }

    /// Removes a clause that is no reason of a value above level 0.
    pub(super) fn detach(&mut self, clause: ClauseRef) {
        for position in 0..2 {
            let lit = self.clauses.lit(clause, position);
            let watches = &mut self.watches[lit.code() as usize];
            let at = watches.iter().rposition(|w| w.clause == clause);
            watches.swap_remove(at.expect("a clause is watched by its first two literals"));
        }
        self.clauses.remove(clause);
    }

    /// Makes an open literal true.
    pub(super) fn enqueue(&mut self, lit: Lit, reason: Option<ClauseRef>) {
        debug_assert_eq!(self.value(lit), Value::Open);
        self.values[lit.code() as usize] = Value::True;
        self.values[(!lit).code() as usize] = Value::False;
        let level = self.levels.len() as u32;
        let var = self.var_mut(lit.var());
        var.reason = reason;
        var.level = level;
        self.trail.push(lit);
    }

    /// Opens a level with this decision.
    pub(super) fn decide(&mut self, lit: Lit) {
        self.levels.push(self.trail.len());
        self.enqueue(lit, None);
    }

    /// Takes back the levels above `level`.
    pub(super) fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else { return };
        for position in (start..self.trail.len()).rev() {
            let lit = self.trail[position];
            self.values[lit.code() as usize] = Value::Open;
            self.values[(!lit).code() as usize] = Value::Open;
            self.var_mut(lit.var()).phase = !lit.is_negated();
            if self.ordered {
                self.order.insert(lit.var());
            }
        }
        self.trail.truncate(start);
        self.levels.truncate(level);
        self.head = start;
    }

    /// Takes back a literal of level 0 from which nothing follows; only on level 0.
    pub(super) fn retract(&mut self, lit: Lit) {
        let at = self.trail.iter().position(|&l| l == lit).expect("the literal is true");
        self.trail.remove(at);
        self.head -= usize::from(at < self.head);
        self.values[lit.code() as usize] = Value::Open;
        self.values[(!lit).code() as usize] = Value::Open;
    }

    /// Copies the clauses to a fresh storage; only on level 0.
    pub(super) fn compact(&mut self) {
        debug_assert!(self.levels.is_empty() && self.passing.is_empty());
        let old = std::mem::take(&mut self.clauses);
        self.watches.iter_mut().for_each(Vec::clear);
        let (clauses, watches) = (&mut self.clauses, &mut self.watches);
        for list in [&mut self.original, &mut self.learned] {
            for clause in list {
                *clause = clauses.copy(&old, *clause);
                let (a, b) = (clauses.lit(*clause, 0), clauses.lit(*clause, 1));
                let binary = clauses.len(*clause) == 2;
                for (lit, blocker) in [(a, b), (b, a)] {
                    let watch = Watch { clause: *clause, blocker, binary };
                    watches[lit.code() as usize].push(watch);
                }
            }
        }
        for lit in &self.trail {
            self.vars[lit.var().index()].reason = None;
        }
    }
}
