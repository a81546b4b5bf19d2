//! Designs about data: counters, shift registers, queues, pipelines.

use super::builder::Builder;
use crate::expr::Op2;
use crate::ts::TransitionSystem;

/// A counter of `8 + size` bits, enabled by an input, that starts anew at `12 * size`; the unsafe
/// one starts anew one later than the property allows.
pub(super) fn counter(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let last = 12 * size as u128;
    let enable = b.input("enable", 1);
    let count = b.reg("count", 8 + size as u32, 0);
    let at_end = b.is(count.now, last);
    let (up, zero) = (b.with(Op2::Add, count.now, 1), b.constant(0, 8 + size as u32));
    let next = b.ite(at_end, zero, up);
    b.load(count, enable, next);
    let limit = if safe { last } else { last - 1 };
    let limit = b.constant(limit, 8 + size as u32);
    let bad = b.op(Op2::Ult, limit, count.now);
    b.bad(bad);
    b.finish()
}

/// Two counters that go up together, one of them by ones and one by threes, and stay in step; the
/// unsafe one forgets a step after some time.
pub(super) fn in_step(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let width = 3 + size as u32;
    let go = b.input("go", 1);
    let (x, y) = (b.reg("x", width, 0), b.reg("y", width, 0));
    let (one, three) = (b.with(Op2::Add, x.now, 1), b.with(Op2::Add, y.now, 3));
    b.load(x, go, one);
    let skip = b.is(x.now, 5 + size as u128);
    let keep = b.not(skip);
    let go_y = if safe { go } else { b.and(go, keep) };
    b.load(y, go_y, three);
    let product = b.with(Op2::Mul, x.now, 3);
    let same = b.op(Op2::Eq, product, y.now);
    let bad = b.not(same);
    b.bad(bad);
    b.finish()
}

/// A bit through a shift register of `4 * size` bits, and through a ring with a write pointer: they
/// agree; the unsafe ring reads one place beside.
pub(super) fn delay(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let length = 4 * size;
    let width = 8;
    let input = b.input("in", 1);
    let shift = b.reg("shift", length as u32, 0);
    let shifted = b.shift_in(shift.now, input);
    b.next(shift, shifted);
    let place = b.reg("place", width, 0);
    let cells = b.regs("cell", length, 1, 0);
    for (k, &cell) in cells.iter().enumerate() {
        let here = b.is(place.now, k as u128);
        b.load(cell, here, input);
    }
    let (at_end, up, zero) =
        (b.is(place.now, length as u128 - 1), b.with(Op2::Add, place.now, 1), b.constant(0, width));
    let next = b.ite(at_end, zero, up);
    b.next(place, next);
    let read = if safe { place.now } else { next };
    let values: Vec<_> = cells.iter().map(|c| c.now).collect();
    let old = b.select(&values, read);
    let last = b.bit(shift.now, length as u32 - 1);
    let bad = b.op(Op2::Xor, old, last);
    b.bad(bad);
    b.finish()
}

/// A queue of `2 * size` words in a ring, against one that shifts: their heads agree. The unsafe
/// ring takes a word even when it is full.
pub(super) fn fifo(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let (depth, data, width) = (2 * size, 2, 6);
    let (push, pop, word) = (b.input("push", 1), b.input("pop", 1), b.input("word", data));
    let count = b.reg("count", width, 0);
    let (empty, full) = (b.is(count.now, 0), b.is(count.now, depth as u128));
    let (some, room) = (b.not(empty), b.not(full));
    let (put, take) = (b.and(push, room), b.and(pop, some));
    let (more, less) = (b.with(Op2::Add, count.now, 1), b.with(Op2::Sub, count.now, 1));
    let grown = b.ite(put, more, count.now);
    let (both, shrunk) = (b.and(put, take), b.ite(take, less, grown));
    let next = b.ite(both, count.now, shrunk);
    b.next(count, next);

    let (head, tail) = (b.reg("head", width, 0), b.reg("tail", width, 0));
    let ring = b.regs("ring", depth, data, 0);
    let put_ring = if safe { put } else { push };
    for (k, &cell) in ring.iter().enumerate() {
        let here = b.is(tail.now, k as u128);
        let write = b.and(put_ring, here);
        b.load(cell, write, word);
    }
    for (pointer, moves) in [(head, take), (tail, put)] {
        let at_end = b.is(pointer.now, depth as u128 - 1);
        let (up, zero) = (b.with(Op2::Add, pointer.now, 1), b.constant(0, width));
        let next = b.ite(at_end, zero, up);
        b.load(pointer, moves, next);
    }

    let line = b.regs("line", depth, data, 0);
    let first_free = b.ite(take, less, count.now);
    for k in 0..depth {
        let after = if k + 1 < depth { line[k + 1].now } else { line[k].now };
        let moved = b.ite(take, after, line[k].now);
        let here = b.is(first_free, k as u128);
        let write = b.and(put, here);
        let next = b.ite(write, word, moved);
        b.next(line[k], next);
    }
    let values: Vec<_> = ring.iter().map(|c| c.now).collect();
    let ring_head = b.select(&values, head.now);
    let same = b.op(Op2::Eq, ring_head, line[0].now);
    let differ = b.not(same);
    let bad = b.and(some, differ);
    b.bad(bad);
    b.finish()
}

/// A register whose bits go round is never zero; in the unsafe one an input stops what comes in.
pub(super) fn feedback(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let width = 6 + 2 * size as u32;
    let clear = b.input("clear", 1);
    let word = b.reg("word", width, 1);
    let (top, low) = (b.bit(word.now, width - 1), b.bit(word.now, 0));
    let fed = b.op(Op2::Xor, top, low);
    let kept = b.not(clear);
    let fed = if safe { top } else { b.and(fed, kept) };
    let next = b.shift_in(word.now, fed);
    b.next(word, next);
    let bad = b.is(word.now, 0);
    b.bad(bad);
    b.finish()
}

/// Additions in two stages with the sum written back a step later: the bypass makes them agree
/// with additions at once. The unsafe pipeline has no bypass.
pub(super) fn pipeline(size: usize, safe: bool) -> TransitionSystem {
    let mut b = Builder::default();
    let width = 2 + size as u32;
    let (valid, addend) = (b.input("valid", 1), b.input("addend", width));
    let target = b.input("target", 1);
    let mut files = [b.regs("at_once", 2, width, 0), b.regs("pipelined", 2, width, 0)];
    let pending = b.reg("pending", 1, 0);
    let (pending_sum, pending_target) = (b.reg("sum", width, 0), b.reg("target_before", 1, 0));
    let own: Vec<_> = files[1].iter().map(|r| r.now).collect();
    let old = b.select(&own, target);
    let same_target = b.op(Op2::Eq, target, pending_target.now);
    let bypass = b.and(pending.now, same_target);
    let operand = if safe { b.ite(bypass, pending_sum.now, old) } else { old };
    let sum = b.op(Op2::Add, operand, addend);
    b.next(pending, valid);
    b.next(pending_sum, sum);
    b.next(pending_target, target);
    let [once, piped] = &mut files;
    for k in 0..2 {
        let here = b.is(target, k as u128);
        let write = b.and(valid, here);
        let sum = b.op(Op2::Add, once[k].now, addend);
        b.load(once[k], write, sum);
        let here = b.is(pending_target.now, k as u128);
        let write = b.and(pending.now, here);
        b.load(piped[k], write, pending_sum.now);
    }
    let idle = b.not(pending.now);
    let same = b.op(Op2::Eq, once[0].now, piped[0].now);
    let differ = b.not(same);
    let bad = b.and(idle, differ);
    b.bad(bad);
    b.finish()
}
