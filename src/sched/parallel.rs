//! Parallel steps: in one frame any set of threads moves whose steps do not depend on each other,
//! each from the same state.
//!
//! K. Heljanko: Bounded reachability checking with process semantics (CONCUR 2001). In Foata form
//! each run has one form only: a thread moves in a frame only if its step depends on one that was
//! taken in the frame before, be it its own; in the first frame all may move.
//!
//! Whether steps depend on each other is decided in the current state, with exact addresses and
//! along the path that the step takes. A step that is in no conflict with what others do in a
//! frame does the same, and is as possible, in the state after that frame; so any step that does
//! not depend on the frame before can be moved there, until no such step is left.

use crate::base::{Id, IndexVec};
use crate::encode::Encoding;
use crate::program::ThreadId;
use crate::ts::TsExpr;

use super::scheduled::{Scheduled, any, finish, may_move};

/// Options of [`schedule_parallel`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParallelOptions {
    /// Runs are in Foata form.
    pub foata: bool,
}

/// Sets the next states of `encoding.ts`, which was made with
/// [`EncodeOptions::parallel`](crate::encode::EncodeOptions::parallel).
pub fn schedule_parallel(encoding: &mut Encoding, options: ParallelOptions) -> Scheduled {
    let mut may = may_move(encoding);
    let names = encoding.names.clone();
    let conflicts = Conflicts::new(encoding);
    let ts = &mut encoding.ts;
    let enabled = any(ts, may.iter().copied());
    let mut inputs = vec![];
    let due = options.foata.then(|| {
        let mut due = vec![];
        for (t, may) in names.ids().zip(may.iter_mut()) {
            let (state, leaf) = ts.add_state(format!("due.{}", names[t]), 1, Some(1));
            *may = ts.pool.and(*may, leaf);
            due.push((state, leaf));
        }
        due
    });
    let mut execute = IndexVec::<ThreadId, TsExpr>::new();
    for (t, &may) in may.iter_enumerated() {
        let (input, go) = ts.add_input(format!("go.{}", names[t]), 1);
        inputs.push(input);
        let mut moves = ts.pool.and(go, may);
        for (u, &other) in execute.iter_enumerated() {
            let clash = ts.pool.and(other, conflicts.between(t, u));
            let clear = ts.pool.not(clash);
            moves = ts.pool.and(moves, clear);
        }
        execute.push(moves);
    }
    let moved = any(ts, execute.iter().copied());
    let can_move = any(ts, may.iter().copied());
    for (k, (state, leaf)) in due.into_iter().flatten().enumerate() {
        let t = ThreadId::new(k);
        let mut depends = execute[t];
        for (u, &other) in execute.iter_enumerated().filter(|&(u, _)| u != t) {
            let both = ts.pool.and(other, conflicts.between(t, u));
            depends = ts.pool.or(depends, both);
        }
        // Where nobody moves the state stays as it is.
        ts.states[state].next = ts.pool.ite(moved, depends, leaf);
    }
    let sites = finish(encoding, &execute);
    Scheduled { inputs, execute, moved, can_move, enabled, sites, turns: None, probes: vec![] }
}

/// For each pair of threads, whether their next steps depend on each other.
struct Conflicts(IndexVec<ThreadId, Vec<TsExpr>>);

impl Conflicts {
    fn new(encoding: &mut Encoding) -> Self {
        let Encoding { ts, threads, .. } = encoding;
        let mut result: IndexVec<ThreadId, Vec<TsExpr>> = IndexVec::new();
        for (t, step) in threads.iter_enumerated() {
            let mut row = vec![];
            for (_, other) in threads.iter_enumerated().filter(|&(u, _)| u < t) {
                let data = step.footprint.conflict(&other.footprint, ts);
                // Who enters or leaves an atomic section decides whether others can move.
                let sections = [step, other].map(|s| ts.pool.or(s.closes, s.in_atomic));
                row.push(any(ts, sections.into_iter().chain([data])));
            }
            result.push(row);
        }
        Self(result)
    }

    fn between(&self, t: ThreadId, u: ThreadId) -> TsExpr {
        let (low, high) = if t < u { (t, u) } else { (u, t) };
        self.0[high][low.index()]
    }
}
