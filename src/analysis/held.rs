//! Which mutexes a thread certainly owns at a location: forward data flow, meet is intersection.
//!
//! The result holds for mutexes that are *orderly*: every write to their owner takes a free mutex
//! for the writer, releases one that the writer owns, or happens while no other thread that uses
//! the mutex runs. For others nothing is claimed.

use std::collections::BTreeSet;

use crate::base::{Id, IndexVec};
use crate::program::{AccessKind, EdgeId, LocId, Program, Role, ThreadId, VarId};

use super::alive::Alive;
use super::certain::certain;
use super::facts::Facts;
use super::uses::{Use, Written};

/// The owner of a free mutex.
pub(super) const FREE: u128 = 0;

/// The owner of a mutex that `t` holds.
pub(super) fn owner(t: ThreadId) -> u128 {
    t.index() as u128 + 1
}

/// Mutexes certainly held, for each location.
#[derive(Clone, Debug)]
pub struct Held {
    at: IndexVec<ThreadId, IndexVec<LocId, BTreeSet<VarId>>>,
    orderly: BTreeSet<VarId>,
}

/// A write to the owner of a mutex.
struct OwnerWrite {
    thread: ThreadId,
    edge: EdgeId,
    var: VarId,
    how: Use,
}

impl Held {
    /// Analyses a program.
    pub fn new(program: &Program, facts: &Facts, alive: &Alive) -> Self {
        let (writes, users) = owner_accesses(program, facts);
        let at = program.threads.ids().map(|t| flow(program, facts, t, &writes)).collect();
        let mut orderly: BTreeSet<VarId> = users.iter().map(|&(_, v)| v).collect();
        let mut this = Self { at, orderly: BTreeSet::new() };
        for w in &writes {
            let from = program.threads[w.thread].edges[w.edge].from;
            let alone = || {
                let others = users.iter().filter(|&&(u, v)| v == w.var && u != w.thread);
                others.into_iter().all(|&(u, _)| !alive.runs_at(w.thread, from, u))
            };
            let me = owner(w.thread);
            let fits = match w.how.written {
                Written::Constant(c) if c == me => w.how.required == Some(FREE),
                Written::Constant(FREE) => {
                    w.how.required == Some(me)
                        || (w.how.exact && this.at[w.thread][from].contains(&w.var))
                        || alone()
                }
                _ => false,
            };
            if !fits {
                orderly.remove(&w.var);
            }
        }
        for set in this.at.iter_mut().flat_map(|locs| locs.iter_mut()) {
            set.retain(|v| orderly.contains(v));
        }
        this.orderly = orderly;
        this
    }

    /// The orderly mutexes that the thread owns whenever it is at the location.
    pub fn at(&self, thread: ThreadId, loc: LocId) -> &BTreeSet<VarId> {
        &self.at[thread][loc]
    }

    /// Whether only owners release the mutex and only free ones are taken.
    pub fn is_orderly(&self, mutex: VarId) -> bool {
        self.orderly.contains(&mutex)
    }
}

/// All writes to owners of mutexes, and who uses which mutex.
fn owner_accesses(
    program: &Program,
    facts: &Facts,
) -> (Vec<OwnerWrite>, BTreeSet<(ThreadId, VarId)>) {
    let (mut writes, mut users) = (vec![], BTreeSet::new());
    for (t, thread) in program.threads.iter_enumerated() {
        for e in thread.edges.ids().filter(|&e| facts.ranges.is_taken(t, e)) {
            let mut written = BTreeSet::new();
            facts.for_each_access(program, t, e, &mut |v, kind| {
                if program.vars[v].role == Role::MutexOwner {
                    users.insert((t, v));
                    if kind == AccessKind::Write {
                        written.insert(v);
                    }
                }
            });
            for var in written {
                let how = Use::new(program, facts, t, e, var);
                writes.push(OwnerWrite { thread: t, edge: e, var, how });
            }
        }
    }
    (writes, users)
}

/// The data flow of one thread, with its own writes alone.
fn flow(
    program: &Program,
    facts: &Facts,
    t: ThreadId,
    writes: &[OwnerWrite],
) -> IndexVec<LocId, BTreeSet<VarId>> {
    let thread = &program.threads[t];
    let mut own = IndexVec::<EdgeId, Vec<&OwnerWrite>>::filled(vec![], thread.edges.len());
    writes.iter().filter(|w| w.thread == t).for_each(|w| own[w.edge].push(w));
    certain(program, facts, t, |e, set| {
        for w in &own[e] {
            set.remove(&w.var);
            if w.exact_take(t) {
                set.insert(w.var);
            }
        }
    })
}

impl OwnerWrite {
    /// Whether the mutex is certainly owned by `t` afterwards.
    fn exact_take(&self, t: ThreadId) -> bool {
        self.how.exact && self.how.written == Written::Constant(owner(t))
    }
}
