//! Assertions and other sites, and invariants; temporal formulas have circuits of their own.

use super::race::race;
use super::standstill::standstill;
use crate::base::{HashMap, Id};
use crate::encode::Encoding;
use crate::expr::ExprId;
use crate::program::leak::Leak;
use crate::program::{LocId, LocKind, Program, ThreadId};
use crate::property::{Atom, AtomPool, Invariant, Question, Target, TargetKind};
use crate::sched::Scheduled;
use crate::ts::{TsExpr, TsNamed};

/// A bad signal of the transition system and the target that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSignal {
    /// Position in `Question::targets`.
    pub target: usize,
    /// Position in `TransitionSystem::bads`.
    pub bad: usize,
}

/// Adds a bad signal for each target that is not trivially unreachable. Targets without a signal
/// can never be violated.
///
/// A site is violated in the frame in which a thread moves over its edge. An invariant is looked at
/// in each state in which no thread is inside an atomic section. A race and a deadlock are states.
pub fn instrument(
    program: &Program,
    question: &Question,
    encoding: &mut Encoding,
    scheduled: &Scheduled,
) -> Vec<BadSignal> {
    let mut signals = vec![];
    for (k, target) in question.targets.iter().enumerate() {
        let bad = match &target.kind {
            TargetKind::Sites(sites) => {
                let ts = &mut encoding.ts;
                let none = ts.pool.bool(false);
                let list = sites.iter().filter_map(|s| scheduled.sites.get(s));
                list.fold(none, |a, &b| ts.pool.or(a, b))
            }
            TargetKind::Invariant(invariant) => violated(program, invariant, encoding),
            TargetKind::Ltl(_) => continue,
            TargetKind::Race(item) => race(encoding, scheduled, *item),
            TargetKind::Leak(leak) => leaks(program, leak, encoding, scheduled.enabled),
            TargetKind::Deadlock => deadlock(program, encoding, scheduled.enabled),
            TargetKind::Local(found, kind) => {
                let there = standstill(program, found, *kind, encoding);
                while_on(program, encoding, there)
            }
        };
        if !encoding.ts.pool.is_false(bad) {
            signals.push(BadSignal { target: k, bad: encoding.ts.bads.len() });
            encoding.ts.bads.push(TsNamed { name: symbol(program, target), value: bad });
        }
    }
    signals
}

/// The signal's symbol: property and place.
fn symbol(program: &Program, target: &Target) -> String {
    let name = target.property.name();
    match target.span {
        Some(span) => format!("{name}@{}", program.sources.show(span)),
        None => name,
    }
}

fn violated(program: &Program, invariant: &Invariant, encoding: &mut Encoding) -> TsExpr {
    let condition = condition_now(program, &invariant.pool, invariant.condition, encoding);
    let Encoding { ts, threads, .. } = encoding;
    let mut bad = ts.pool.not(condition);
    for step in threads.iter() {
        let outside = ts.pool.not(step.in_atomic);
        bad = ts.pool.and(bad, outside);
    }
    bad
}

/// Whether a condition holds in the current state.
pub(super) fn condition_now(
    program: &Program,
    pool: &AtomPool,
    condition: ExprId,
    encoding: &mut Encoding,
) -> TsExpr {
    let mut leaves: HashMap<Atom, TsExpr> = HashMap::default();
    let mut atoms = vec![];
    pool.for_each_leaf(condition, |atom, _| atoms.push(atom));
    for atom in atoms {
        let value = match atom {
            Atom::Var(v) => encoding.states.current(program, &mut encoding.ts, v),
            Atom::At(t, loc) => is_at(encoding, t, loc),
            Atom::Enabled(t) => encoding.threads[t].enabled,
        };
        leaves.insert(atom, value);
    }
    pool.translate(
        condition,
        &mut encoding.ts.pool,
        &mut |_, atom, _| leaves[&atom],
        &mut HashMap::default(),
    )
}

/// Whether a thread is at a location, which is a scheduling point or never reached.
pub(super) fn is_at(encoding: &mut Encoding, t: ThreadId, loc: LocId) -> TsExpr {
    let Encoding { ts, points, threads, .. } = encoding;
    match (points[t].index(loc), threads[t].pc) {
        (None, _) => ts.pool.bool(false),
        (Some(_), None) => ts.pool.bool(true),
        (Some(k), Some(pc)) => {
            let leaf = ts.states[pc].expr;
            let index = ts.pool.constant(u128::from(k), points[t].width());
            ts.pool.eq(leaf, index)
        }
    }
}

/// No thread can move, and yet some thread waits that was created, none has stopped (so the process
/// goes on), and none is discarded.
fn deadlock(program: &Program, encoding: &mut Encoding, enabled: TsExpr) -> TsExpr {
    let Threads { waits, over } = waiting(program, encoding);
    let ts = &mut encoding.ts;
    let (stuck, on) = (ts.pool.not(enabled), ts.pool.not(over));
    let waits = ts.pool.and(waits, on);
    ts.pool.and(stuck, waits)
}

/// The process ends, and something of the heap is alive; as for a deadlock, no thread has stopped
/// or is discarded.
fn leaks(program: &Program, leak: &Leak, encoding: &mut Encoding, enabled: TsExpr) -> TsExpr {
    let Threads { waits, .. } = waiting(program, encoding);
    let pool = &mut encoding.ts.pool;
    let (stuck, idle) = (pool.not(enabled), pool.not(waits));
    let mut ends = pool.and(stuck, idle);
    for &(t, loc) in &leak.ends {
        let here = is_at(encoding, t, loc);
        ends = encoding.ts.pool.or(ends, here);
    }
    let Encoding { ts, states, .. } = encoding;
    let mut alive = ts.pool.bool(false);
    for &(_, v) in &leak.heap {
        let value = states.current(program, ts, v);
        alive = ts.pool.or(alive, value);
    }
    let left = ts.pool.and(ends, alive);
    while_on(program, encoding, left)
}

/// The condition, in states in which no thread has stopped, is discarded, or is inside an atomic
/// section.
fn while_on(program: &Program, encoding: &mut Encoding, condition: TsExpr) -> TsExpr {
    let Threads { over, .. } = waiting(program, encoding);
    let Encoding { ts, threads, .. } = encoding;
    let on = ts.pool.not(over);
    let mut bad = ts.pool.and(condition, on);
    for step in threads.iter() {
        let outside = ts.pool.not(step.in_atomic);
        bad = ts.pool.and(bad, outside);
    }
    bad
}

/// What threads do that do not move.
struct Threads {
    /// Some thread that was created waits, if no thread can move.
    waits: TsExpr,
    /// Some thread has stopped or is discarded.
    over: TsExpr,
}

fn waiting(program: &Program, encoding: &mut Encoding) -> Threads {
    let (mut waits, mut over) = (encoding.ts.pool.bool(false), encoding.ts.pool.bool(false));
    for (t, thread) in program.threads.iter_enumerated() {
        for loc in encoding.points[t].list().to_vec() {
            let location = &thread.locations[loc];
            // Where nothing can move, a thread that is at its start has not been created.
            let unborn = t.index() != 0 && loc == thread.start;
            let list = match location.kind {
                LocKind::Running if location.blocking && !unborn => &mut waits,
                LocKind::Discarded | LocKind::Stopped => &mut over,
                LocKind::Running | LocKind::Ended => continue,
            };
            let here = is_at(encoding, t, loc);
            *list = encoding.ts.pool.or(*list, here);
        }
    }
    Threads { waits, over }
}
