//! Races that cannot happen, without a solver: the two accesses are made with a common mutex held
//! (S. Savage, M. Burrows, G. Nelson, P. Sobalvarro, T. Anderson: Eraser, TOCS 1997, but by data
//! flow over all paths), or the order of create and join keeps them apart.

use std::collections::BTreeSet;

use crate::program::contention::{Bytes, DataAccess, DataPlace, Item};
use crate::program::{self, Program, ThreadId, VarId};

use super::alive::Alive;
use super::facts::Facts;
use super::held::Held;

/// What is known of the accesses to an item by several threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contention {
    /// They cannot race.
    Apart {
        /// The mutexes held at all accesses that are not kept apart by create and join.
        mutexes: BTreeSet<VarId>,
    },
    /// These two may race: thread and edge of each.
    Open([(ThreadId, program::EdgeId); 2]),
}

/// An access to an item.
struct Access {
    thread: ThreadId,
    edge: program::EdgeId,
    bytes: Bytes,
    write: bool,
    atomic: bool,
}

/// What is known of each of the items. `facts` are for all of them.
pub fn contention(program: &Program, facts: &Facts, items: &[Item]) -> Vec<(Item, Contention)> {
    let alive = Alive::new(program, facts);
    let held = Held::new(program, facts, &alive);
    let mut all = vec![];
    for (t, thread) in program.threads.iter_enumerated() {
        for e in thread.edges.ids().filter(|&e| facts.ranges.is_taken(t, e)) {
            for access in facts.raced_accesses(program, t, e) {
                add(program, facts, (t, e), access, &mut all);
            }
        }
    }
    let of = |item: Item| all.iter().filter(move |a: &&Access| a.bytes.item == item);
    let judge = |item| judge(program, &alive, &held, &of(item).collect::<Vec<_>>());
    items.iter().map(|&item| (item, judge(item))).collect()
}

/// The bytes that an access may be to.
fn add(
    program: &Program,
    facts: &Facts,
    (thread, edge): (ThreadId, program::EdgeId),
    access: DataAccess,
    all: &mut Vec<Access>,
) {
    let DataAccess { place, write, atomic } = access;
    let bytes: Vec<Bytes> = match place {
        DataPlace::Some(program::Place::Var(v)) => Bytes::of_var(program, v).into_iter().collect(),
        DataPlace::Some(program::Place::Deref(d)) => {
            let len = u64::from(program.threads[thread].edges[edge].derefs[d].bytes);
            let places = facts.places(thread, edge, d).iter();
            let of = |p: &super::facts::Place| Bytes {
                item: Item::Object(p.object),
                offset: p.offset,
                len,
            };
            places.map(of).collect()
        }
        DataPlace::Whole(o) => vec![Bytes::of_object(program, o)],
    };
    all.extend(bytes.into_iter().map(|bytes| Access { thread, edge, bytes, write, atomic }));
}

fn judge(program: &Program, alive: &Alive, held: &Held, accesses: &[&Access]) -> Contention {
    let from = |a: &Access| program.threads[a.thread].edges[a.edge].from;
    let mut mutexes: Option<BTreeSet<VarId>> = None;
    for (k, a) in accesses.iter().enumerate() {
        for b in &accesses[k + 1..] {
            let conflict = a.thread != b.thread
                && (a.write || b.write)
                && !(a.atomic && b.atomic)
                && a.bytes.overlap(&b.bytes);
            let together = || {
                alive.runs_at(a.thread, from(a), b.thread)
                    && alive.runs_at(b.thread, from(b), a.thread)
                    && alive.together(a.thread, b.thread)
            };
            if !conflict || !together() {
                continue;
            }
            let (x, y) = (held.at(a.thread, from(a)), held.at(b.thread, from(b)));
            let common: BTreeSet<VarId> = x.intersection(y).copied().collect();
            if common.is_empty() {
                return Contention::Open([(a.thread, a.edge), (b.thread, b.edge)]);
            }
            mutexes = Some(match mutexes {
                None => common,
                Some(known) => known.intersection(&common).copied().collect(),
            });
        }
    }
    Contention::Apart { mutexes: mutexes.unwrap_or_default() }
}

impl Contention {
    /// Whether no race is possible.
    pub fn is_apart(&self) -> bool {
        matches!(self, Self::Apart { .. })
    }
}
