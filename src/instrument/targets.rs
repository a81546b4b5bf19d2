//! Assertions and other sites, and invariants.

use super::race::race;
use crate::base::{HashMap, Id};
use crate::encode::{Encoding, Points};
use crate::program::leak::Leak;
use crate::program::{LocId, LocKind, Program};
use crate::property::{Atom, Invariant, Question, Target, TargetKind};
use crate::sched::Scheduled;
use crate::ts::{StateId, TransitionSystem, TsExpr, TsNamed};

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
/// A site is violated in the frame in which a thread moves over its edge. An invariant is looked
/// at in each state in which no thread is inside an atomic section. A race and a deadlock are states.
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
            TargetKind::Race(item) => race(encoding, *item),
            TargetKind::Leak(leak) => leaks(program, leak, encoding, scheduled.enabled),
            TargetKind::Deadlock => deadlock(program, encoding, scheduled.enabled),
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
    let Encoding { ts, states, points, threads, .. } = encoding;
    let mut leaves: HashMap<Atom, TsExpr> = HashMap::default();
    let mut atoms = vec![];
    invariant.pool.for_each_leaf(invariant.condition, |atom, _| atoms.push(atom));
    for atom in atoms {
        let value = match atom {
            Atom::Var(v) => states.current(program, ts, v),
            Atom::At(t, loc) => at(ts, &points[t], threads[t].pc, loc),
        };
        leaves.insert(atom, value);
    }
    let condition = invariant.pool.translate(
        invariant.condition,
        &mut ts.pool,
        &mut |_, atom, _| leaves[&atom],
        &mut HashMap::default(),
    );
    let mut bad = ts.pool.not(condition);
    for step in threads.iter() {
        let outside = ts.pool.not(step.in_atomic);
        bad = ts.pool.and(bad, outside);
    }
    bad
}

/// Whether the thread with these points and this program counter is at a location.
fn at(ts: &mut TransitionSystem, points: &Points, pc: Option<StateId>, loc: LocId) -> TsExpr {
    match (points.index(loc), pc) {
        (None, _) => ts.pool.bool(false),
        (Some(_), None) => ts.pool.bool(true),
        (Some(k), Some(pc)) => {
            let leaf = ts.states[pc].expr;
            let index = ts.pool.constant(u128::from(k), points.width());
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
    let Threads { waits, over } = waiting(program, encoding);
    let Encoding { ts, points, threads, states, .. } = encoding;
    let (stuck, idle) = (ts.pool.not(enabled), ts.pool.not(waits));
    let mut ends = ts.pool.and(stuck, idle);
    for &(t, loc) in &leak.ends {
        let here = at(ts, &points[t], threads[t].pc, loc);
        ends = ts.pool.or(ends, here);
    }
    let mut bad = ts.pool.not(over);
    for step in threads.iter() {
        let outside = ts.pool.not(step.in_atomic);
        bad = ts.pool.and(bad, outside);
    }
    let mut alive = ts.pool.bool(false);
    for &(_, v) in &leak.heap {
        let value = states.current(program, ts, v);
        alive = ts.pool.or(alive, value);
    }
    let left = ts.pool.and(ends, alive);
    ts.pool.and(bad, left)
}

/// What threads do that do not move.
struct Threads {
    /// Some thread that was created waits, if no thread can move.
    waits: TsExpr,
    /// Some thread has stopped or is discarded.
    over: TsExpr,
}

fn waiting(program: &Program, encoding: &mut Encoding) -> Threads {
    let Encoding { ts, points, threads, .. } = encoding;
    let (mut waits, mut over) = (ts.pool.bool(false), ts.pool.bool(false));
    for (t, thread) in program.threads.iter_enumerated() {
        for &loc in points[t].list() {
            let location = &thread.locations[loc];
            // Where nothing can move, a thread that is at its start has not been created.
            let unborn = t.index() != 0 && loc == thread.start;
            let list = match location.kind {
                LocKind::Running if location.blocking && !unborn => &mut waits,
                LocKind::Discarded | LocKind::Stopped => &mut over,
                LocKind::Running | LocKind::Ended => continue,
            };
            let here = at(ts, &points[t], threads[t].pc, loc);
            *list = ts.pool.or(*list, here);
        }
    }
    Threads { waits, over }
}
