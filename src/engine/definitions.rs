//! Definitions of a circuit's signals in terms of few others: most gates get no variable.
//!
//! A gate is eliminated where its clauses and those of the signals that use it do not become more
//! when its own are put in their place (bounded variable elimination: Eén, Biere: Effective
//! preprocessing in SAT through variable and clause elimination, SAT 2005, for variables that a
//! gate defines). What is left are definitions as before, so that
//! [questions about a part of the circuit](crate::sat::Solver::add_definition) stay so.

use super::cnf::Gate;
use crate::aig::{Aig, Lit, Var};
use crate::base::IndexVec;

/// No clause becomes longer. (4 to 40 were worth about the same.)
const LITERALS: usize = 12;
/// Signals that more others use stay.
const USERS: usize = 16;
/// How often all gates are looked at: what one elimination makes worth while is found then.
const ROUNDS: usize = 3;

/// A clause of the circuit's literals, in ascending order.
type Clause = Vec<Lit>;

/// How a signal is defined.
pub(super) struct Definition {
    /// The signals that it depends on.
    pub(super) operands: Vec<Lit>,
    /// Each contains the signal itself.
    pub(super) clauses: Vec<Clause>,
}

/// Definitions of the signals of a circuit that were not eliminated.
pub(super) struct Definitions {
    of: IndexVec<Var, Option<Definition>>,
}

impl Definitions {
    /// Definitions for the cone of `roots`, which are not eliminated.
    pub(super) fn new(aig: &Aig, roots: &[Lit]) -> Self {
        let mut elimination = Elimination::new(aig, roots);
        for _ in 0..ROUNDS {
            if !elimination.round() {
                break;
            }
        }
        let define = |var: Var, clauses: Vec<Clause>| {
            let operands = operands(&clauses, var).into_iter().map(|v| Lit::new(v, false));
            Definition { operands: operands.collect(), clauses }
        };
        let mut clauses = elimination.clauses;
        let of = clauses.ids().map(|var| Some(define(var, clauses[var].take()?)));
        Self { of: of.collect() }
    }

    /// The signal's definition; none if it is an input, a latch or eliminated.
    pub(super) fn of(&self, var: Var) -> Option<&Definition> {
        self.of[var].as_ref()
    }
}

/// Definitions on the way.
struct Elimination {
    /// For each gate that is not eliminated the clauses that define it.
    clauses: IndexVec<Var, Option<Vec<Clause>>>,
    /// For each gate all those whose definitions mention it, perhaps twice, and some that did.
    users: IndexVec<Var, Vec<Var>>,
    /// Gates that stay.
    kept: IndexVec<Var, bool>,
}

impl Elimination {
    fn new(aig: &Aig, roots: &[Lit]) -> Self {
        let nodes = aig.nodes().len();
        let mut clauses = IndexVec::filled(None, nodes);
        let mut users = IndexVec::filled(vec![], nodes);
        let mut kept = IndexVec::filled(false, nodes);
        let mut open: Vec<Var> = roots.iter().map(|l| l.var()).collect();
        for &var in &open {
            kept[var] = true;
        }
        while let Some(var) = open.pop() {
            let gate = Gate::of(aig, var);
            if clauses[var].is_some() || gate.operands().is_empty() {
                continue;
            }
            for operand in gate.operands() {
                users[operand.var()].push(var);
                open.push(operand.var());
            }
            let mut list = gate.clauses(Lit::new(var, false));
            list.iter_mut().for_each(|c| c.sort_unstable());
            clauses[var] = Some(list);
        }
        Self { clauses, users, kept }
    }

    /// Looks at each gate; whether one was eliminated.
    fn round(&mut self) -> bool {
        let mut any = false;
        for var in self.clauses.ids() {
            any |= !self.kept[var] && self.eliminate(var);
        }
        any
    }

    /// Eliminates a gate, if that is worth while.
    fn eliminate(&mut self, var: Var) -> bool {
        let Some(own) = &self.clauses[var] else { return false };
        self.users[var].sort_unstable();
        self.users[var].dedup();
        let users: Vec<(Var, &Vec<Clause>)> = self.users[var]
            .iter()
            .filter_map(|&user| Some((user, self.clauses[user].as_ref()?)))
            .collect();
        if users.len() > USERS {
            return false;
        }
        let mut left = own.len() + users.iter().map(|(_, c)| c.len()).sum::<usize>();
        let mut substituted = vec![];
        for (user, clauses) in users {
            let Some(clauses) = substitute(clauses, var, own, left) else { return false };
            left -= clauses.len();
            substituted.push((user, clauses));
        }
        let own = self.clauses[var].take().expect("it is a gate");
        self.users[var] = vec![];
        for operand in operands(&own, var) {
            if self.clauses[operand].is_some() {
                self.users[operand].extend(substituted.iter().map(|(user, _)| *user));
            }
        }
        for (user, clauses) in substituted {
            self.clauses[user] = Some(clauses);
        }
        true
    }
}

/// The signals in terms of which the clauses define `var`.
fn operands(clauses: &[Clause], var: Var) -> Vec<Var> {
    let mut operands: Vec<Var> =
        clauses.iter().flatten().map(|l| l.var()).filter(|&v| v != var).collect();
    operands.sort_unstable();
    operands.dedup();
    operands
}

/// The clauses with `definition` in place of `var`; none if they are more than `limit`, or one is
/// too long.
fn substitute(
    clauses: &[Clause],
    var: Var,
    definition: &[Clause],
    limit: usize,
) -> Option<Vec<Clause>> {
    let mut result: Vec<Clause> = vec![];
    for clause in clauses {
        let Some(&pivot) = clause.iter().find(|l| l.var() == var) else {
            add(&mut result, clause.clone());
            continue;
        };
        for other in definition.iter().filter(|c| c.contains(&!pivot)) {
            let Some(resolvent) = resolve(clause, other, pivot) else { continue };
            if resolvent.len() > LITERALS {
                return None;
            }
            add(&mut result, resolvent);
        }
    }
    (result.len() <= limit).then_some(result)
}

/// What the clauses say together without the pivot, which one of them contains and the other one
/// negated; none if that is nothing.
fn resolve(a: &[Lit], b: &[Lit], pivot: Lit) -> Option<Clause> {
    let rest = a.iter().chain(b).copied().filter(|l| l.var() != pivot.var());
    let mut lits: Clause = rest.collect();
    lits.sort_unstable();
    lits.dedup();
    let opposite = lits.windows(2).any(|pair| pair[0].var() == pair[1].var());
    (!opposite).then_some(lits)
}

/// Adds a clause, unless others say as much, and removes those that say less.
fn add(clauses: &mut Vec<Clause>, new: Clause) {
    let within = |small: &Clause, large: &Clause| {
        let mut rest = large.iter();
        small.len() <= large.len() && small.iter().all(|l| rest.any(|m| m == l))
    };
    if clauses.iter().any(|c| within(c, &new)) {
        return;
    }
    clauses.retain(|c| !within(&new, c));
    clauses.push(new);
}
