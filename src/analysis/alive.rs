//! Which threads may run while another thread is at a location, by the order of create and join.
//!
//! After G. Naumovich, G. S. Avrunin, L. A. Clarke: An efficient algorithm for computing MHP
//! information for concurrent Java programs (ESEC/FSE 1999), for the case that a thread instance
//! has one creator: a forward data flow over the creator's locations.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{Id, IndexVec};
use crate::program::{EdgeId, LocId, LocKind, Program, Status, Sync, ThreadId};

use super::facts::Facts;
use super::uses::{Use, Written};

/// A set of thread instances.
type Threads = BTreeSet<ThreadId>;

/// May a thread take edges while another one is at a location?
#[derive(Clone, Debug)]
pub struct Alive {
    /// The one thread that creates an instance, if its status is written in the known ways only.
    creator: IndexVec<ThreadId, Option<ThreadId>>,
    /// At each location, the instances created by this thread that may be running.
    running: IndexVec<ThreadId, IndexVec<LocId, Threads>>,
    /// Those that may have been created.
    created: IndexVec<ThreadId, IndexVec<LocId, Threads>>,
    /// For each edge that creates or joins: the instance, and whether it runs afterwards.
    changes: BTreeMap<(ThreadId, EdgeId), (ThreadId, bool)>,
    /// Pairs with one creator that are never running together.
    apart: BTreeSet<(ThreadId, ThreadId)>,
}

impl Alive {
    /// Analyses a program.
    pub fn new(program: &Program, facts: &Facts) -> Self {
        let ids = || program.threads.ids();
        let creator = ids().map(|u| creator(program, facts, u)).collect();
        let empty =
            |t: ThreadId| IndexVec::filled(Threads::new(), program.threads[t].locations.len());
        let mut this = Self {
            creator,
            running: ids().map(empty).collect(),
            created: ids().map(empty).collect(),
            changes: BTreeMap::new(),
            apart: BTreeSet::new(),
        };
        for t in ids() {
            this.find_changes(program, facts, t);
            this.flow(program, facts, t);
        }
        this.find_apart(program, facts);
        this
    }

    fn find_changes(&mut self, program: &Program, facts: &Facts, t: ThreadId) {
        for (e, edge) in program.threads[t].edges.iter_enumerated() {
            let (u, runs) = match edge.sync {
                Sync::Create(u) => (u, true),
                Sync::Join(u) => (u, false),
                _ => continue,
            };
            let ended = || {
                let status = program.threads[u].status;
                Use::new(program, facts, t, e, status).required == Some(Status::ENDED)
            };
            if self.creator[u] == Some(t) && (runs || ended()) {
                self.changes.insert((t, e), (u, runs));
            }
        }
    }

    fn flow(&mut self, program: &Program, facts: &Facts, t: ThreadId) {
        let thread = &program.threads[t];
        let outgoing = facts.outgoing(program, t);
        let mut work = vec![thread.start];
        let mut reached = IndexVec::<LocId, bool>::filled(false, thread.locations.len());
        reached[thread.start] = true;
        while let Some(loc) = work.pop() {
            for &e in &outgoing[loc] {
                let edge = &thread.edges[e];
                let running = self.running_after(t, edge.from, e);
                let mut created = self.created[t][loc].clone();
                if let Some(&(u, true)) = self.changes.get(&(t, e)) {
                    created.insert(u);
                }
                let before = (self.running[t][edge.to].len(), self.created[t][edge.to].len());
                self.running[t][edge.to].extend(running);
                self.created[t][edge.to].extend(created);
                let after = (self.running[t][edge.to].len(), self.created[t][edge.to].len());
                if before != after || !reached[edge.to] {
                    reached[edge.to] = true;
                    work.push(edge.to);
                }
            }
        }
    }

    /// Edge by edge: many paths with few threads each may meet in one location, as those do that end
    /// in undefined behaviour.
    fn find_apart(&mut self, program: &Program, facts: &Facts) {
        let ids = || program.threads.ids();
        let mut apart: BTreeSet<_> = ids()
            .flat_map(|u| ids().map(move |w| (u, w)))
            .filter(|&(u, w)| u != w && self.creator[u].is_some())
            .filter(|&(u, w)| self.creator[u] == self.creator[w])
            .collect();
        let mut sets = BTreeSet::new();
        for t in ids() {
            for &e in facts.outgoing(program, t).iter().flatten() {
                sets.insert(self.running_after(t, program.threads[t].edges[e].from, e));
            }
        }
        for running in sets {
            apart.retain(|(u, w)| !(running.contains(u) && running.contains(w)));
        }
        self.apart = apart;
    }

    /// The instances created by `t` that may be running when it has taken `edge` from `loc`.
    fn running_after(&self, t: ThreadId, loc: LocId, edge: EdgeId) -> Threads {
        let mut running = self.running[t][loc].clone();
        match self.changes.get(&(t, edge)) {
            Some(&(u, true)) => {
                running.insert(u);
            }
            Some(&(u, false)) => {
                running.remove(&u);
            }
            None => {}
        }
        running
    }

    /// Whether `u` may take an edge while `t` is at `loc`.
    pub fn runs_at(&self, t: ThreadId, loc: LocId, u: ThreadId) -> bool {
        match self.creator[u] {
            Some(c) if c == t => self.running[t][loc].contains(&u),
            Some(c) => self.was_created(t, loc, c, 0),
            None => true,
        }
    }

    fn was_created(&self, t: ThreadId, loc: LocId, u: ThreadId, depth: usize) -> bool {
        match self.creator[u] {
            Some(c) if c == t => self.created[t][loc].contains(&u),
            Some(c) if depth < self.creator.len() => self.was_created(t, loc, c, depth + 1),
            _ => true,
        }
    }

    /// Whether `u` may take an edge just after `t` has taken `edge` from `loc`.
    pub fn runs_after(&self, t: ThreadId, loc: LocId, edge: EdgeId, u: ThreadId) -> bool {
        match self.changes.get(&(t, edge)) {
            Some(&(w, runs)) if w == u => runs,
            // What the new thread creates takes edges of its own first.
            _ => self.runs_at(t, loc, u),
        }
    }

    /// Whether two threads may be running at the same time.
    pub fn together(&self, u: ThreadId, w: ThreadId) -> bool {
        !self.apart.contains(&(u, w))
    }
}

/// The only creator of `u`, if every write to `u`'s status is by it or by `u`'s end.
fn creator(program: &Program, facts: &Facts, u: ThreadId) -> Option<ThreadId> {
    let instance = &program.threads[u];
    let status = instance.status;
    if u.index() == 0 || program.vars[status].init != Status::FREE {
        return None;
    }
    let waits = |(e, _)| {
        !facts.ranges.is_taken(u, e)
            || Use::new(program, facts, u, e, status).required == Some(Status::RUNNING)
    };
    if !instance.locations[instance.start].blocking
        || !instance.edges_from(instance.start).all(waits)
    {
        return None;
    }
    let mut creator = None;
    for (t, thread) in program.threads.iter_enumerated() {
        for (e, edge) in thread.edges.iter_enumerated() {
            if !facts.ranges.is_taken(t, e) {
                continue;
            }
            let allowed = match Use::new(program, facts, t, e, status).written {
                Written::No | Written::Constant(Status::FREE) => true,
                Written::Constant(Status::RUNNING) => {
                    let known = creator.is_none_or(|c| c == t);
                    creator = Some(t);
                    edge.sync == Sync::Create(u) && known && t != u && !thread.reusable
                }
                Written::Constant(Status::ENDED) => {
                    let to = edge.to;
                    t == u && (to == thread.start || thread.locations[to].kind != LocKind::Running)
                }
                Written::Constant(_) | Written::Other => false,
            };
            if !allowed {
                return None;
            }
        }
    }
    creator
}
