//! What every scheduler makes.

use std::collections::BTreeMap;

use crate::base::{Id, IndexVec};
use crate::encode::{Encoding, Stored, ThreadStep};
use crate::expr::Op2;
use crate::program::{SiteId, ThreadId, VarId};
use crate::ts::{InputId, StateId, TransitionSystem, TsExpr, TsNamed};

/// A transition system with next states, and what properties and engines need to know of it.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The inputs that choose who moves.
    pub inputs: Vec<InputId>,
    /// Whether the thread moves in this frame.
    pub execute: IndexVec<ThreadId, TsExpr>,
    /// Whether some thread moves in this frame.
    pub moved: TsExpr,
    /// Whether the scheduler could let some thread move in this state.
    pub can_move: TsExpr,
    /// Whether some thread could move in this state if the scheduler left nothing out.
    pub enabled: TsExpr,
    /// For each site that can be reached at all: whether it is violated in this frame.
    pub sites: BTreeMap<SiteId, TsExpr>,
    /// For each thread, whether a bound on switches lets it go on in this state; `None` without
    /// such a bound.
    pub turns: Option<IndexVec<ThreadId, TsExpr>>,
    /// What the scheduler decided by, to be looked at.
    pub probes: Vec<TsNamed<TsExpr>>,
}

/// For each thread, whether it may move: its step is enabled and no other thread is inside an
/// atomic section.
pub(super) fn may_move(encoding: &mut Encoding) -> IndexVec<ThreadId, TsExpr> {
    let Encoding { ts, threads, .. } = encoding;
    let mut result = IndexVec::new();
    for (t, step) in threads.iter_enumerated() {
        let mut may = step.enabled;
        for (other, o) in threads.iter_enumerated() {
            if other != t {
                let free = ts.pool.not(o.in_atomic);
                may = ts.pool.and(may, free);
            }
        }
        result.push(may);
    }
    result
}

/// The input that selects a thread, and for each thread, whether it is selected; all are if there
/// is only one.
pub(super) fn select(encoding: &mut Encoding) -> (Vec<InputId>, IndexVec<ThreadId, TsExpr>) {
    let Encoding { ts, threads, .. } = encoding;
    let width = (threads.len() - 1).checked_ilog2().map_or(0, |b| b + 1);
    if width == 0 {
        return (vec![], IndexVec::filled(ts.pool.bool(true), 1));
    }
    let (id, input) = ts.add_input("sched", width);
    let selected = threads.ids().map(|t| {
        let index = ts.pool.constant(t.index() as u128, width);
        ts.pool.eq(input, index)
    });
    (vec![id], selected.collect())
}

/// Some of these.
pub(super) fn any(ts: &mut TransitionSystem, list: impl IntoIterator<Item = TsExpr>) -> TsExpr {
    let none = ts.pool.bool(false);
    list.into_iter().fold(none, |a, b| ts.pool.or(a, b))
}

/// Adds the steps of the threads that move to the next states, and gives the sites' signals.
pub(super) fn finish(
    encoding: &mut Encoding,
    execute: &IndexVec<ThreadId, TsExpr>,
) -> BTreeMap<SiteId, TsExpr> {
    let mut sites: BTreeMap<SiteId, TsExpr> = BTreeMap::new();
    let Encoding { ts, threads, states, .. } = encoding;
    for (t, step) in threads.iter_enumerated() {
        // Where several threads move, a shared variable gets its value from the one that writes it,
        // or what all of them add to it.
        let state = |v: VarId| match states.stored(v) {
            Stored::State { state, .. } => Some(state),
            Stored::Constant(_) => None,
        };
        let writes = step.footprint.writes.iter();
        let writes = writes.filter_map(|(&v, &writes)| Some((state(v)?, writes))).collect();
        apply(ts, step, execute[t], &writes);
        for (&v, added) in &step.footprint.adds {
            let Some(state) = state(v) else { continue };
            let old = ts.states[state].next;
            let applies = ts.pool.and(execute[t], added.when);
            let sum = ts.pool.op2(Op2::Add, old, added.amount);
            ts.states[state].next = ts.pool.ite(applies, sum, old);
        }
        for &(site, condition) in &step.sites {
            let happens = ts.pool.and(execute[t], condition);
            let none = ts.pool.bool(false);
            let bad = sites.entry(site).or_insert(none);
            *bad = ts.pool.or(*bad, happens);
        }
    }
    sites
}

/// Adds one thread's step to the next states, for the frames in which it moves.
fn apply(
    ts: &mut TransitionSystem,
    step: &ThreadStep,
    execute: TsExpr,
    writes: &BTreeMap<StateId, TsExpr>,
) {
    let pc = step.pc.zip(step.next_pc);
    for (state, value) in pc.into_iter().chain(step.updates.iter().copied()) {
        let old = ts.states[state].next;
        let applies = match writes.get(&state) {
            Some(&writes) => ts.pool.and(execute, writes),
            None => execute,
        };
        ts.states[state].next = ts.pool.ite(applies, value, old);
    }
}
