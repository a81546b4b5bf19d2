//! Data races: two threads are about to access the same byte.

use std::collections::BTreeSet;

use crate::base::IndexVec;
use crate::encode::{Encoding, StepTouch};
use crate::program::ThreadId;
use crate::program::contention::Item;
use crate::sched::Scheduled;
use crate::ts::{TransitionSystem, TsExpr};

/// When a thread is about to access some bytes.
struct Access {
    plain_read: TsExpr,
    plain_write: TsExpr,
    atomic_read: TsExpr,
    atomic_write: TsExpr,
}

/// Whether two threads race for the item. Inside of an atomic section a thread accesses what it
/// would if it moved in this state.
pub(super) fn race(encoding: &mut Encoding, scheduled: &Scheduled, item: Item) -> TsExpr {
    let Encoding { ts, threads, .. } = encoding;
    let mut touches: IndexVec<ThreadId, Vec<StepTouch>> = IndexVec::new();
    for (t, step) in threads.iter_enumerated() {
        let mut may_enter = match &scheduled.turns {
            Some(turns) => turns[t],
            None => ts.pool.bool(true),
        };
        for (_, other) in threads.iter_enumerated().filter(|&(u, _)| u != t) {
            let outside = ts.pool.not(other.in_atomic);
            may_enter = ts.pool.and(may_enter, outside);
        }
        let mut list = vec![];
        for touch in step.touches.iter().filter(|t| t.bytes.item == item) {
            let when = match touch.inside {
                None => touch.when,
                Some(_) => ts.pool.and(touch.when, may_enter),
            };
            list.push(StepTouch { when, ..*touch });
        }
        touches.push(list);
    }
    // Between two of these offsets all bytes are accessed by the same touches.
    let ends = |t: &StepTouch| [t.bytes.offset, t.bytes.offset + t.bytes.len];
    let cuts: BTreeSet<u64> = touches.iter().flatten().flat_map(ends).collect();
    let mut bad = ts.pool.bool(false);
    for byte in cuts {
        // What the threads so far do to the byte.
        let mut before: Option<Access> = None;
        for list in touches.iter() {
            let Some(own) = access(ts, list, byte) else { continue };
            before = Some(match before {
                None => own,
                Some(others) => {
                    let conflict = conflict(ts, &others, &own);
                    bad = ts.pool.or(bad, conflict);
                    either(ts, &others, &own)
                }
            });
        }
    }
    bad
}

/// What a thread does to a byte; `None` if nothing.
fn access(ts: &mut TransitionSystem, touches: &[StepTouch], byte: u64) -> Option<Access> {
    let no = ts.pool.bool(false);
    let mut result = Access { plain_read: no, plain_write: no, atomic_read: no, atomic_write: no };
    let mut some = false;
    for t in touches {
        if !(t.bytes.offset..t.bytes.offset + t.bytes.len).contains(&byte) {
            continue;
        }
        some = true;
        let signal = match (t.atomic, t.write) {
            (false, false) => &mut result.plain_read,
            (false, true) => &mut result.plain_write,
            (true, false) => &mut result.atomic_read,
            (true, true) => &mut result.atomic_write,
        };
        *signal = ts.pool.or(*signal, t.when);
    }
    some.then_some(result)
}

/// One of the two writes, and one is not atomic.
fn conflict(ts: &mut TransitionSystem, a: &Access, b: &Access) -> TsExpr {
    let mut any = ts.pool.bool(false);
    for (x, y) in [(a, b), (b, a)] {
        let reads = ts.pool.or(y.plain_read, y.atomic_read);
        let plain = ts.pool.and(x.plain_write, reads);
        let mixed = ts.pool.and(x.atomic_write, y.plain_read);
        let writes = ts.pool.and(x.plain_write, y.atomic_write);
        for case in [plain, mixed, writes] {
            any = ts.pool.or(any, case);
        }
    }
    let both = ts.pool.and(a.plain_write, b.plain_write);
    ts.pool.or(any, both)
}

fn either(ts: &mut TransitionSystem, a: &Access, b: &Access) -> Access {
    Access {
        plain_read: ts.pool.or(a.plain_read, b.plain_read),
        plain_write: ts.pool.or(a.plain_write, b.plain_write),
        atomic_read: ts.pool.or(a.atomic_read, b.atomic_read),
        atomic_write: ts.pool.or(a.atomic_write, b.atomic_write),
    }
}
