//! The free scheduler: in each frame an input selects one thread, and that thread moves if it
//! can; if not, the state stutters.

use crate::base::{Id, IndexVec};
use crate::encode::Encoding;
use crate::program::{SiteId, ThreadId};
use crate::ts::{InputId, TransitionSystem, TsExpr};
use std::collections::BTreeMap;

/// A transition system with next states, and what properties and engines need to know of it.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The input that selects the thread by its index; none if there is only one thread.
    pub select: Option<InputId>,
    /// Whether the thread moves in this frame.
    pub execute: IndexVec<ThreadId, TsExpr>,
    /// Whether some thread moves in this frame.
    pub moved: TsExpr,
    /// Whether some thread could move in this state.
    pub can_move: TsExpr,
    /// For each site that can be reached at all: whether it is violated in this frame.
    pub sites: BTreeMap<SiteId, TsExpr>,
}

/// Sets the next states of `encoding.ts`.
pub fn schedule_free(encoding: &mut Encoding) -> Scheduled {
    let Encoding { ts, threads, .. } = encoding;
    let count = threads.len();
    let width = (count - 1).checked_ilog2().map_or(0, |b| b + 1);
    let select = (width > 0).then(|| ts.add_input("sched", width));
    let mut execute = IndexVec::new();
    let mut moved = ts.pool.bool(false);
    let mut can_move = ts.pool.bool(false);
    for (t, step) in threads.iter_enumerated() {
        let mut may = step.enabled;
        for (other, o) in threads.iter_enumerated() {
            if other != t {
                let free = ts.pool.not(o.in_atomic);
                may = ts.pool.and(may, free);
            }
        }
        can_move = ts.pool.or(can_move, may);
        let chosen = match select {
            None => may,
            Some((_, input)) => {
                let index = ts.pool.constant(t.index() as u128, width);
                let selected = ts.pool.eq(input, index);
                ts.pool.and(selected, may)
            }
        };
        moved = ts.pool.or(moved, chosen);
        execute.push(chosen);
    }
    let mut sites: BTreeMap<SiteId, TsExpr> = BTreeMap::new();
    for (t, step) in threads.iter_enumerated() {
        apply(ts, step, execute[t]);
        for &(site, condition) in &step.sites {
            let happens = ts.pool.and(execute[t], condition);
            let none = ts.pool.bool(false);
            let bad = sites.entry(site).or_insert(none);
            *bad = ts.pool.or(*bad, happens);
        }
    }
    Scheduled { select: select.map(|(id, _)| id), execute, moved, can_move, sites }
}

/// Adds one thread's step to the next states, for the frames in which it moves.
fn apply(ts: &mut TransitionSystem, step: &crate::encode::ThreadStep, execute: TsExpr) {
    let pc = step.pc.zip(step.next_pc);
    for (state, value) in pc.into_iter().chain(step.updates.iter().copied()) {
        let old = ts.states[state].next;
        ts.states[state].next = ts.pool.ite(execute, value, old);
    }
}
