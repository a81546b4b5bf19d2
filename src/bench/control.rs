//! Designs about control: arbiters, caches, locks, timers.

use super::builder::{Builder, Reg};
use crate::expr::Op2;
use crate::ts::{TransitionSystem, TsExpr};

/// A token goes round among `2 * size` clients, and only who has it and asks is served; the unsafe
/// arbiter makes a second token when all have waited for long.
pub(super) fn arbiter(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let clients = 2 * size;
    let request = b.input("request", clients as u32);
    let token = b.reg("token", clients as u32, 1);
    let idle = b.reg("idle", 5, 0);
    let served = b.op(Op2::And, request, token.now);
    let none = b.is(served, 0);
    let (longer, zero) = (b.with(Op2::Add, idle.now, 1), b.constant(0, 5));
    let next = b.ite(none, longer, zero);
    b.next(idle, next);
    let top = b.bit(token.now, clients as u32 - 1);
    let round = b.shift_in(token.now, top);
    let late = b.is(idle.now, 6 + size as u128);
    let both = b.op(Op2::Or, round, token.now);
    let moved = if safe { round } else { b.ite(late, both, round) };
    b.next(token, moved);
    let grants: Vec<TsExpr> = (0..clients as u32).map(|k| b.bit(served, k)).collect();
    let bad = b.two_of(&grants);
    b.bad(bad);
    b.finish()
}

/// Caches with a line that is invalid (0), shared (1) or modified (2), on a bus: a modified line
/// is the only valid one. In the unsafe design a write leaves the last cache's copy.
pub(super) fn cache(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let count = 2 + size;
    let (who, write, act) = (b.input("who", 5), b.input("write", 1), b.input("act", 1));
    let lines = b.regs("line", count, 2, 0);
    let [invalid, shared, modified] = [0, 1, 2].map(|v| b.constant(v, 2));
    for (k, &line) in lines.iter().enumerate() {
        let mine = b.is(who, k as u128);
        let was_modified = b.is(line.now, 2);
        let kept = b.ite(was_modified, modified, shared);
        let own = b.ite(write, modified, kept);
        let valid = b.is(line.now, 0);
        let demoted = b.ite(valid, invalid, shared);
        let forgets = k + 1 == count && !safe;
        let dropped = if forgets { demoted } else { invalid };
        let other = b.ite(write, dropped, demoted);
        let next = b.ite(mine, own, other);
        let known = b.with(Op2::Ult, who, count as u128);
        let go = b.and(act, known);
        b.load(line, go, next);
    }
    let mut bad = b.constant(0, 1);
    for (k, line) in lines.iter().enumerate() {
        let owner = b.is(line.now, 2);
        for other in lines.iter().enumerate().filter(|&(o, _)| o != k).map(|(_, l)| l) {
            let invalid = b.is(other.now, 0);
            let valid = b.not(invalid);
            let clash = b.and(owner, valid);
            bad = b.or(bad, clash);
        }
    }
    b.bad(bad);
    b.finish()
}

/// Clients draw tickets and wait until theirs is shown: one at a time is inside. Tickets of the
/// unsafe design have too few numbers.
pub(super) fn tickets(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let clients = 2 + size;
    // The safe one has more numbers than clients, the unsafe one fewer.
    let width = if safe { clients.ilog2() + 1 } else { (clients - 1).ilog2() };
    let who = b.input("who", 4);
    let (next, shown) = (b.reg("next", width, 0), b.reg("shown", width, 0));
    // 0 outside, 1 waiting, 2 inside.
    let states = b.regs("state", clients, 2, 0);
    let tickets = b.regs("ticket", clients, width, 0);
    let (mut draw_any, mut leave_any) = (b.constant(0, 1), b.constant(0, 1));
    let (waiting, inside, outside) = (b.constant(1, 2), b.constant(2, 2), b.constant(0, 2));
    for (k, (&state, &ticket)) in states.iter().zip(&tickets).enumerate() {
        let mine = b.is(who, k as u128);
        let [is_out, is_waiting, is_in] = [0, 1, 2].map(|v| b.is(state.now, v));
        let (draw, leave) = (b.and(mine, is_out), b.and(mine, is_in));
        let turn = b.op(Op2::Eq, ticket.now, shown.now);
        let asks = b.and(mine, is_waiting);
        let enter = b.and(asks, turn);
        b.load(ticket, draw, next.now);
        let left = b.ite(leave, outside, state.now);
        let entered = b.ite(enter, inside, left);
        let moved = b.ite(draw, waiting, entered);
        b.next(state, moved);
        draw_any = b.or(draw_any, draw);
        leave_any = b.or(leave_any, leave);
    }
    for (counter, moves) in [(next, draw_any), (shown, leave_any)] {
        let up = b.with(Op2::Add, counter.now, 1);
        b.load(counter, moves, up);
    }
    let holders: Vec<TsExpr> = states.iter().map(|s| b.is(s.now, 2)).collect();
    let bad = b.two_of(&holders);
    b.bad(bad);
    b.finish()
}

/// A chain of timers, each started by the end of the one before: at most one runs. The unsafe
/// chain starts the first again before the last has ended.
pub(super) fn timers(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let count = 1 + size;
    let hold = b.input("hold", 1);
    let timers: Vec<Reg> =
        (0..count).map(|k| b.reg(&format!("t{k}"), 4, u128::from(k == 0))).collect();
    let going = b.not(hold);
    let last = b.is(timers[count - 1].now, 15);
    let early = b.is(timers[count - 1].now, 14);
    for k in 0..count {
        let now = timers[k].now;
        let (stopped, up) = (b.is(now, 0), b.with(Op2::Add, now, 1));
        let before = if k > 0 {
            b.is(timers[k - 1].now, 15)
        } else if safe {
            last
        } else {
            early
        };
        let (one, zero) = (b.constant(1, 4), b.constant(0, 4));
        let started = b.ite(before, one, zero);
        let next = b.ite(stopped, started, up);
        b.load(timers[k], going, next);
    }
    let running: Vec<TsExpr> = timers
        .iter()
        .map(|t| {
            let stopped = b.is(t.now, 0);
            b.not(stopped)
        })
        .collect();
    let bad = b.two_of(&running);
    b.bad(bad);
    b.finish()
}

/// Credits between a sender and a receiver with `2 * size` places: what is on the way never
/// exceeds them. The unsafe receiver returns a credit twice when it empties a full buffer.
pub(super) fn credits(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let (places, width) = (2 * size as u128, 5);
    let (send, drain) = (b.input("send", 1), b.input("drain", 1));
    let (credit, stored) = (b.reg("credit", width, places), b.reg("stored", width, 0));
    let (none, empty) = (b.is(credit.now, 0), b.is(stored.now, 0));
    let (may, some) = (b.not(none), b.not(empty));
    let (sends, drains) = (b.and(send, may), b.and(drain, some));
    let [out, back] = [sends, drains].map(|moves| {
        let (one, zero) = (b.constant(1, width), b.constant(0, width));
        b.ite(moves, one, zero)
    });
    let left = b.op(Op2::Sub, credit.now, out);
    let returned = b.op(Op2::Add, left, back);
    let full = b.is(stored.now, places);
    let twice = b.and(full, drains);
    let more = b.with(Op2::Add, returned, 1);
    let next = if safe { returned } else { b.ite(twice, more, returned) };
    b.next(credit, next);
    let grown = b.op(Op2::Add, stored.now, out);
    let next = b.op(Op2::Sub, grown, back);
    b.next(stored, next);
    let limit = b.constant(places, width);
    let bad = b.op(Op2::Ult, limit, stored.now);
    b.bad(bad);
    b.finish()
}
