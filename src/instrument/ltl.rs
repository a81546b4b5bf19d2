//! Temporal formulas: the negation as a symbolic tableau, one latch for each temporal operator
//! (in the manner of E. M. Clarke, O. Grumberg, K. Hamaguchi: Another look at LTL model checking,
//! CAV 1994, but with obligations in one direction only, which inputs guess).
//!
//! A run of the program is read in the frames in which something moves, and for ever in a state in
//! which nothing can: programs that end or are deadlocked stay as they are, and their runs count.
//! Inside atomic sections conditions keep the value that they had before. When one thread has
//! stopped, the process is over and nothing moves. Runs in which an `assume` is false, the program
//! has no meaning, or a bound of the model is reached are not looked at.

use std::fmt;

use crate::base::HashMap;
use crate::encode::Encoding;
use crate::expr::ExprId;
use crate::ltl::{FormulaId, Formulas, Node};
use crate::program::explore::waits_for_lock;
use crate::program::{LocKind, Location, Program, SiteKind};
use crate::property::{Fairness, Ltl};
use crate::sched::Scheduled;
use crate::ts::{StateId, TransitionSystem, TsExpr, TsNamed};

use super::targets::{condition_now, is_at};

/// `X` where the next state may never come: a loop inside an atomic section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextInSection;

impl fmt::Display for NextInSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("X cannot be used for programs with loops inside atomic sections")
    }
}

impl std::error::Error for NextInSection {}

/// Ends the process with the first thread that stops. To be called before the scheduler is built.
pub fn end_process(program: &Program, encoding: &mut Encoding) {
    let over = some_thread_at(program, encoding, |l| l.kind == LocKind::Stopped);
    let Encoding { ts, threads, .. } = encoding;
    let running = ts.pool.not(over);
    for step in threads.iter_mut() {
        step.enabled = ts.pool.and(step.enabled, running);
    }
}

/// Adds a justice set that exactly the runs satisfy that violate the formula, and fairness.
///
/// # Errors
/// If the formula has `X` and a section may not end.
pub fn instrument_ltl(
    program: &Program,
    ltl: &Ltl,
    encoding: &mut Encoding,
    scheduled: &Scheduled,
) -> Result<(), NextInSection> {
    let inside = some_thread_at(program, encoding, |l| l.atomic && l.kind == LocKind::Running);
    if ltl.has_next() && !encoding.ts.pool.is_false(inside) {
        return Err(NextInSection);
    }
    let mut atoms: HashMap<ExprId, TsExpr> = HashMap::default();
    for (k, e) in ltl.atoms().into_iter().enumerate() {
        let now = condition_now(program, &ltl.pool, e, encoding);
        let seen = frozen(&mut encoding.ts, inside, now, &format!("ltl.seen{k}"));
        atoms.insert(e, seen);
    }
    let ts = &mut encoding.ts;
    let stuck = ts.pool.not(scheduled.can_move);
    let advance = ts.pool.or(scheduled.moved, stuck);
    let mut formulas = ltl.formulas.clone();
    let root = formulas.normal(ltl.root, true);
    let mut tableau =
        Tableau { ts, formulas: &formulas, atoms: &atoms, advance, operators: vec![] };
    let (met, mut often) = tableau.build(root);
    let mut broken = left_out(program, ts, scheduled);
    if ltl.fairness != Fairness::None {
        weak_fairness(program, encoding, scheduled, stuck);
    }
    if ltl.fairness == Fairness::Locks {
        let unfair = strong_fairness(program, encoding, scheduled);
        broken = encoding.ts.pool.or(broken, unfair);
    }
    let discarded = some_thread_at(program, encoding, |l| l.kind == LocKind::Discarded);
    let ts = &mut encoding.ts;
    let ok = latch(ts, "ltl.ok", true);
    let unmet = ts.pool.not(met);
    let failed = ts.pool.and(advance, unmet);
    let failed = ts.pool.or(failed, broken);
    let fine = ts.pool.not(failed);
    ts.states[ok.0].next = ts.pool.and(ok.1, fine);
    let kept = ts.pool.not(discarded);
    let good = ts.pool.and(ok.1, kept);
    let good = ts.pool.and(good, advance);
    match often.first_mut() {
        None => often.push(good),
        Some(first) => *first = ts.pool.and(*first, good),
    }
    ts.justice.push(TsNamed { name: "ltl".into(), value: often });
    Ok(())
}

/// Whether some thread is at a location of this kind.
fn some_thread_at(
    program: &Program,
    encoding: &mut Encoding,
    wanted: impl Fn(&Location) -> bool,
) -> TsExpr {
    let mut some = encoding.ts.pool.bool(false);
    for (t, thread) in program.threads.iter_enumerated() {
        for (loc, _) in thread.locations.iter_enumerated().filter(|(_, l)| wanted(l)) {
            let here = is_at(encoding, t, loc);
            some = encoding.ts.pool.or(some, here);
        }
    }
    some
}

fn latch(ts: &mut TransitionSystem, name: &str, init: bool) -> (StateId, TsExpr) {
    ts.add_state(name, 1, Some(u128::from(init)))
}

/// The signal, but inside atomic sections with the value that it had before.
fn frozen(ts: &mut TransitionSystem, inside: TsExpr, now: TsExpr, name: &str) -> TsExpr {
    if ts.pool.is_false(inside) {
        return now;
    }
    let (state, before) = latch(ts, name, false);
    let seen = ts.pool.ite(inside, before, now);
    ts.states[state].next = seen;
    seen
}

/// Whether this frame leads out of the runs that are looked at.
fn left_out(program: &Program, ts: &mut TransitionSystem, scheduled: &Scheduled) -> TsExpr {
    let none = ts.pool.bool(false);
    let out = |site| program.sites[site].kind != SiteKind::Assertion;
    let sites = scheduled.sites.iter().filter(|&(&site, _)| out(site));
    sites.fold(none, |a, (_, &b)| ts.pool.or(a, b))
}

/// Each thread moves infinitely often, or infinitely often cannot.
fn weak_fairness(program: &Program, encoding: &mut Encoding, scheduled: &Scheduled, stuck: TsExpr) {
    let Encoding { ts, threads, .. } = encoding;
    for (t, step) in threads.iter_enumerated() {
        let waits = ts.pool.not(step.enabled);
        let served = ts.pool.or(waits, scheduled.execute[t]);
        let value = ts.pool.or(served, stuck);
        if !ts.pool.is_true(value) {
            let name = format!("fair.{}", program.threads[t].name);
            ts.fairness.push(TsNamed { name, value });
        }
    }
}

/// Each thread takes locks infinitely often, or from a frame on that an input guesses never waits
/// for one that is free. Gives the signal of wrong guesses.
fn strong_fairness(program: &Program, encoding: &mut Encoding, scheduled: &Scheduled) -> TsExpr {
    let mut wrong = encoding.ts.pool.bool(false);
    for (t, thread) in program.threads.iter_enumerated() {
        let mut at_lock = encoding.ts.pool.bool(false);
        for loc in thread.locations.ids().filter(|&l| waits_for_lock(thread, l)) {
            let here = is_at(encoding, t, loc);
            at_lock = encoding.ts.pool.or(at_lock, here);
        }
        let ts = &mut encoding.ts;
        let could = ts.pool.and(at_lock, encoding.threads[t].enabled);
        if ts.pool.is_false(could) {
            continue;
        }
        let (state, never) = latch(ts, &format!("ltl.no-lock.{}", thread.name), false);
        let (_, from_now) = ts.add_input(format!("ltl.no-more-locks.{}", thread.name), 1);
        ts.states[state].next = ts.pool.or(never, from_now);
        let refuted = ts.pool.and(never, could);
        wrong = ts.pool.or(wrong, refuted);
        let takes = ts.pool.and(could, scheduled.execute[t]);
        let value = ts.pool.or(never, takes);
        ts.fairness.push(TsNamed { name: format!("fair-locks.{}", thread.name), value });
    }
    wrong
}

struct Tableau<'a> {
    ts: &'a mut TransitionSystem,
    formulas: &'a Formulas<ExprId>,
    atoms: &'a HashMap<ExprId, TsExpr>,
    /// The frames in which the run is read.
    advance: TsExpr,
    operators: Vec<Operator>,
}

/// A temporal operator.
struct Operator {
    formula: FormulaId,
    /// Whether it must hold now, and the latch for it.
    due: (StateId, TsExpr),
    /// Guessed: it will be due at the next position.
    later: TsExpr,
}

impl Tableau<'_> {
    /// Whether all that is due now holds, if the guesses are right; and what must happen
    /// infinitely often for that.
    fn build(&mut self, root: FormulaId) -> (TsExpr, Vec<TsExpr>) {
        let mut holds: HashMap<FormulaId, TsExpr> = HashMap::default();
        let mut often = vec![];
        let mut met = self.ts.pool.bool(true);
        for f in self.formulas.parts(root) {
            let node = self.formulas.node(f);
            let value = self.value(f, node, &holds);
            holds.insert(f, value);
            if let Node::Until(_, b) = node {
                let later = self.operators.last().expect("just added").later;
                let done = self.ts.pool.not(later);
                let served = self.ts.pool.or(holds[&b], done);
                often.push(self.ts.pool.and(self.advance, served));
            }
        }
        for k in 0..self.operators.len() {
            let Operator { formula, due, later } = self.operators[k];
            self.ts.states[due.0].next = self.ts.pool.ite(self.advance, later, due.1);
            let what = match self.formulas.node(formula) {
                Node::Next(a) => holds[&a],
                _ => holds[&formula],
            };
            met = self.require(met, due.1, what);
        }
        let mut at_start = self.ts.pool.bool(true);
        for f in self.conjuncts(root) {
            let own = self.operators.iter().find(|o| o.formula == f);
            match (own, self.formulas.node(f)) {
                (Some(operator), Node::Until(..) | Node::Release(..)) => {
                    self.ts.states[operator.due.0].init = Some(1);
                }
                _ => at_start = self.ts.pool.and(at_start, holds[&f]),
            }
        }
        if !self.ts.pool.is_true(at_start) {
            let (state, first) = latch(self.ts, "ltl.start", true);
            let never = self.ts.pool.bool(false);
            self.ts.states[state].next = self.ts.pool.ite(self.advance, never, first);
            met = self.require(met, first, at_start);
        }
        (met, often)
    }

    fn require(&mut self, met: TsExpr, due: TsExpr, holds: TsExpr) -> TsExpr {
        let not_due = self.ts.pool.not(due);
        let fine = self.ts.pool.or(not_due, holds);
        self.ts.pool.and(met, fine)
    }

    /// The formulas that together are the whole one.
    fn conjuncts(&self, root: FormulaId) -> Vec<FormulaId> {
        let (mut open, mut list) = (vec![root], vec![]);
        while let Some(f) = open.pop() {
            match self.formulas.node(f) {
                Node::And(a, b) => open.extend([a, b]),
                _ => list.push(f),
            }
        }
        list
    }

    fn value(
        &mut self,
        f: FormulaId,
        node: Node<ExprId>,
        holds: &HashMap<FormulaId, TsExpr>,
    ) -> TsExpr {
        match node {
            Node::Const(value) => self.ts.pool.bool(value),
            Node::Atom(e) => self.atoms[&e],
            Node::Not(a) => self.ts.pool.not(holds[&a]),
            Node::And(a, b) => self.ts.pool.and(holds[&a], holds[&b]),
            Node::Or(a, b) => self.ts.pool.or(holds[&a], holds[&b]),
            Node::Next(_) => self.operator(f),
            Node::Until(a, b) => {
                let later = self.operator(f);
                let kept = self.ts.pool.and(holds[&a], later);
                self.ts.pool.or(holds[&b], kept)
            }
            Node::Release(a, b) => {
                let later = self.operator(f);
                let over = self.ts.pool.or(holds[&a], later);
                self.ts.pool.and(holds[&b], over)
            }
        }
    }

    /// The guess of a new operator.
    fn operator(&mut self, formula: FormulaId) -> TsExpr {
        let k = self.operators.len();
        let due = latch(self.ts, &format!("ltl.due{k}"), false);
        let (_, later) = self.ts.add_input(format!("ltl.later{k}"), 1);
        self.operators.push(Operator { formula, due, later });
        later
    }
}
