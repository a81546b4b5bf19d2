//! The order in which threads take mutexes: an edge from one that a thread may hold to one that it
//! takes then. A cycle is where a deadlock can come from (E. G. Coffman, M. J. Elphick, A.
//! Shoshani: System deadlocks, Computing Surveys 1971), if different threads are on it at once.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::IndexVec;
use crate::program::{AccessKind, EdgeId, LocId, Program, Role, Sync, ThreadId, VarId};

use super::facts::Facts;
use super::held::Held;

/// Where a thread takes a mutex while it holds another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nested {
    /// The mutex that it holds.
    pub held: VarId,
    /// The mutex that it takes.
    pub taken: VarId,
    /// Where.
    pub places: Vec<(ThreadId, EdgeId)>,
    /// Whether at one of the places this is certain, and not one of several possibilities.
    pub certain: bool,
}

/// The order of all mutexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockOrder {
    /// All mutexes, ascending.
    pub mutexes: Vec<VarId>,
    /// By mutex held, then by mutex taken.
    pub nested: Vec<Nested>,
}

impl LockOrder {
    /// Looks at all threads. What a thread may hold is found by forward data flow whose meet is
    /// union: a release takes a mutex away only where it can be no other one.
    pub fn new(program: &Program, facts: &Facts, held: &Held) -> Self {
        let of_role = |v: &VarId| program.vars[*v].role == Role::MutexOwner;
        let mutexes: Vec<VarId> = program.vars.ids().filter(of_role).collect();
        let mut found: BTreeMap<(VarId, VarId), Nested> = BTreeMap::new();
        for (t, thread) in program.threads.iter_enumerated() {
            let may = may_hold(program, facts, t);
            for (e, edge) in thread.edges.iter_enumerated() {
                if edge.sync != Sync::Lock || !facts.ranges.is_taken(t, e) {
                    continue;
                }
                let taken = written(program, facts, t, e);
                for &from in &may[edge.from] {
                    for &to in &taken {
                        // One of several that it may take is not one that it holds.
                        if from == to && taken.len() > 1 {
                            continue;
                        }
                        let new = Nested { held: from, taken: to, places: vec![], certain: false };
                        let nested = found.entry((from, to)).or_insert(new);
                        nested.places.push((t, e));
                        nested.certain |= taken.len() == 1 && held.at(t, edge.from).contains(&from);
                    }
                }
            }
        }
        Self { mutexes, nested: found.into_values().collect() }
    }

    /// Whether the edge lies on a cycle.
    pub fn is_cyclic(&self, nested: &Nested) -> bool {
        let mut seen = BTreeSet::from([nested.taken]);
        let mut work = vec![nested.taken];
        while let Some(v) = work.pop() {
            if v == nested.held {
                return true;
            }
            let next = self.nested.iter().filter(|n| n.held == v).map(|n| n.taken);
            work.extend(next.filter(|&w| seen.insert(w)));
        }
        false
    }
}

/// The mutexes whose owner an edge may write.
fn written(program: &Program, facts: &Facts, t: ThreadId, e: EdgeId) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    facts.for_each_access(program, t, e, &mut |v, kind| {
        if kind == AccessKind::Write && program.vars[v].role == Role::MutexOwner {
            found.insert(v);
        }
    });
    found
}

fn may_hold(program: &Program, facts: &Facts, t: ThreadId) -> IndexVec<LocId, BTreeSet<VarId>> {
    let thread = &program.threads[t];
    let outgoing = facts.outgoing(program, t);
    let mut at =
        IndexVec::<LocId, BTreeSet<VarId>>::filled(BTreeSet::new(), thread.locations.len());
    let mut seen = BTreeSet::from([thread.start]);
    let mut work = vec![thread.start];
    while let Some(loc) = work.pop() {
        for &e in &outgoing[loc] {
            let mut set = at[loc].clone();
            let owners = written(program, facts, t, e);
            match thread.edges[e].sync {
                Sync::Lock => set.extend(owners),
                Sync::Unlock | Sync::Wait if owners.len() == 1 => {
                    set.retain(|v| !owners.contains(v));
                }
                _ => {}
            }
            let to = thread.edges[e].to;
            let before = at[to].len();
            at[to].extend(set);
            if at[to].len() > before || seen.insert(to) {
                work.push(to);
            }
        }
    }
    at
}
