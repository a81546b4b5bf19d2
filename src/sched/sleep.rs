//! Memory of what has been left for later: sleep latches and peephole latches.
//!
//! P. Godefroid: Using partial orders to improve automatic verification methods (CAV 1990), for
//! sleep sets; C. Wang, Z. Yang, V. Kahlon, A. Gupta: Peephole partial order reduction (TACAS
//! 2008). Threads are ordered by their indices. Of two independent steps that follow each other
//! only one order is needed: a thread may not move if its step could have been taken before one
//! that it does not depend on, of a thread with a greater index.

use crate::base::{Id, IndexVec};
use crate::encode::Encoding;
use crate::program::ThreadId;
use crate::ts::{StateId, TsExpr};

use super::now::Now;

/// The latches of all threads.
pub(super) struct Latches(IndexVec<ThreadId, (StateId, TsExpr)>);

impl Latches {
    /// Adds a latch for each thread, false at the start.
    pub fn new(encoding: &mut Encoding, what: &str) -> Self {
        let Encoding { ts, names, .. } = encoding;
        Self(names.iter().map(|name| ts.add_state(format!("{what}.{name}"), 1, Some(0))).collect())
    }

    /// Whether the thread may not move.
    pub fn forbids(&self, t: ThreadId) -> TsExpr {
        self.0[t].1
    }

    /// Sets the next states. `left(t)` is whether the thread's step is left for later wherever a
    /// greater thread moves; if `stays`, one that is left stays so over each step that it does not
    /// depend on.
    pub fn finish(
        &self,
        encoding: &mut Encoding,
        now: &IndexVec<ThreadId, Now>,
        execute: &IndexVec<ThreadId, TsExpr>,
        left: &IndexVec<ThreadId, TsExpr>,
        stays: bool,
    ) {
        let Encoding { ts, threads, .. } = encoding;
        for (b, &(state, latch)) in self.0.iter_enumerated() {
            let mut next = ts.pool.bool(false);
            let mut moved = execute[b];
            for (a, &moves) in execute.iter_enumerated().filter(|&(a, _)| a != b) {
                moved = ts.pool.or(moved, moves);
                let mut later = if b.index() < a.index() { left[b] } else { ts.pool.bool(false) };
                if stays {
                    later = ts.pool.or(later, latch);
                }
                let depends = now[a].depends(&now[b], ts);
                // Who is inside an atomic section keeps others from moving.
                let depends = ts.pool.or(depends, threads[a].in_atomic);
                let independent = ts.pool.not(depends);
                let later = ts.pool.and(later, independent);
                let later = ts.pool.and(later, moves);
                next = ts.pool.or(next, later);
            }
            ts.states[state].next = ts.pool.ite(moved, next, latch);
        }
    }
}
