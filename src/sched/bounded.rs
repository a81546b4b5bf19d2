//! Context-bounded runs: at most so many times another thread goes on.
//!
//! S. Qadeer, J. Rehof: Context-bounded model checking of concurrent software (TACAS 2005). No
//! reduction goes with it: a bound counts the switches that a reduction reorders.

use crate::base::{Id, IndexVec};
use crate::encode::Encoding;
use crate::program::ThreadId;
use crate::ts::TsExpr;

use super::scheduled::{Scheduled, any, finish, may_move, select};

/// Sets the next states of `encoding.ts`: one thread moves in a frame, and no run changes the
/// thread more than `switches` times. Whoever begins is no change.
pub fn schedule_bounded(encoding: &mut Encoding, switches: u32) -> Scheduled {
    let may = may_move(encoding);
    let (inputs, selected) = select(encoding);
    let ts = &mut encoding.ts;
    let width = (may.len() - 1).checked_ilog2().map_or(1, |b| b + 1);
    let bits = switches.checked_ilog2().map_or(1, |b| b + 1);
    let (begun_state, begun) = ts.add_state("begun", 1, Some(0));
    let (last_state, last) = ts.add_state("last", width, Some(0));
    let (left_state, left) = ts.add_state("switches", bits, Some(u128::from(switches)));
    let fresh = ts.pool.not(begun);
    let some_left = ts.pool.is_nonzero(left);
    let free = ts.pool.or(fresh, some_left);
    let mut allowed = IndexVec::<ThreadId, TsExpr>::new();
    let mut turns = IndexVec::<ThreadId, TsExpr>::new();
    let mut execute = IndexVec::<ThreadId, TsExpr>::new();
    let mut switched = ts.pool.bool(false);
    let mut next_last = last;
    for (t, &may) in may.iter_enumerated() {
        let index = ts.pool.constant(t.index() as u128, width);
        let same = ts.pool.eq(last, index);
        let goes_on = ts.pool.or(same, free);
        turns.push(goes_on);
        let may = ts.pool.and(may, goes_on);
        allowed.push(may);
        let moves = ts.pool.and(selected[t], may);
        execute.push(moves);
        let other = ts.pool.not(same);
        let changes = ts.pool.and(moves, other);
        switched = ts.pool.or(switched, changes);
        next_last = ts.pool.ite(moves, index, next_last);
    }
    let moved = any(ts, execute.iter().copied());
    let can_move = any(ts, allowed.iter().copied());
    let enabled = any(ts, may.iter().copied());
    let one = ts.pool.constant(1, bits);
    let fewer = ts.pool.op2(crate::expr::Op2::Sub, left, one);
    let counts = ts.pool.and(switched, begun);
    ts.states[left_state].next = ts.pool.ite(counts, fewer, left);
    ts.states[last_state].next = next_last;
    ts.states[begun_state].next = ts.pool.or(begun, moved);
    let sites = finish(encoding, &execute);
    Scheduled {
        inputs,
        execute,
        moved,
        can_move,
        enabled,
        sites,
        turns: Some(turns),
        probes: vec![],
    }
}
