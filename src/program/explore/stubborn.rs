//! Stubborn sets of threads, by their definition: the reference for the circuit that chooses them.
//!
//! What the next edge of a thread accesses comes from the interpreter, with exact addresses and for
//! all inputs; what a thread may still access comes from a search over its edges, each access with
//! all minimal sets of mutexes and ended threads that its ways need. (REDUCTION.md of the project,
//! section 1, after V. Kahlon, A. Gupta, N. Sinha, CAV 2006.)

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::base::{HashMap, Id, IndexVec};
use crate::expr::Pool;
use crate::program::{
    AccessKind, DerefId, Edge, EdgeId, Leaf, Lifetime, LocId, LocKind, ObjId, Place, ProgPool,
    Program, Role, Scope, SiteKind, State, Status, Target, ThreadId, VarId, accesses, candidates,
};

/// What steps meet at. The first ones are no variables: what properties look at, the right to move
/// beside a thread that may stay in an atomic section, and bytes of an object that are in no leaf, where
/// threads may race all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Object {
    Visible,
    Section,
    Padding(ObjId),
    Var(VarId),
}

/// What a thread may have to wait for until another one gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Token {
    /// A mutex, or what a read-write lock gives to its writer.
    Mutex(VarId),
    /// The end of a thread.
    End(ThreadId),
}

/// What a thread needs.
pub type Tokens = BTreeSet<Token>;

/// For each object, and whether only writes count, the minimal sets of what ways to an access need.
type Ways = BTreeMap<(Object, bool), Vec<Tokens>>;

/// What is written, and what is read or written.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    writes: BTreeSet<Object>,
    all: BTreeSet<Object>,
}

impl Accesses {
    fn add(&mut self, object: Object, writes: bool) {
        self.all.insert(object);
        if writes {
            self.writes.insert(object);
        }
    }

    fn extend(&mut self, other: &Self) {
        self.all.extend(&other.all);
        self.writes.extend(&other.writes);
    }
}

/// What stubborn sets are computed by. The methods with a body give what they are given: the right
/// rules; they are here so that wrong ones can be tried.
pub trait StubbornRules {
    /// Whether it counts what a thread needs on its way to an access.
    fn counts_tokens(&self) -> bool;

    /// Whether only its owner ever releases the mutex, and only a free one is taken.
    fn is_orderly(&self, mutex: VarId) -> bool;

    /// Whether properties look at the variable in every state.
    fn is_observed(&self, v: VarId) -> bool;

    /// Whether properties look at the location in every state.
    fn is_observed_loc(&self, t: ThreadId, loc: LocId) -> bool;

    /// Whether a property is about races for the object.
    fn is_raced(&self, o: ObjId) -> bool;

    /// Whether the sets are for temporal formulas: they keep the runs that go on for ever, up to how
    /// long the observed stays as it is. All threads move where one of the set goes round a loop or
    /// changes what is observed, and the end of the process, after which nothing moves, depends on
    /// every step. Runs that are discarded, or that violate another site than an assertion, do not
    /// count.
    fn are_live(&self) -> bool {
        false
    }

    /// What a thread needs to take an edge.
    fn needs(&self, _: ThreadId, _: EdgeId, right: Tokens) -> Tokens {
        right
    }

    /// Adds a way to those from a location to an access; whether it is needed.
    fn add_way(&self, ways: &mut Vec<Tokens>, new: Tokens) -> bool {
        let needed = !ways.iter().any(|way| way.is_subset(&new));
        if needed {
            ways.retain(|way| !new.is_subset(way));
            ways.push(new);
        }
        needed
    }

    /// Whether a thread keeps a token from others.
    fn keeps(&self, _: &State, _: ThreadId, _: Token, right: bool) -> bool {
        right
    }

    /// The threads that a thread is in conflict with, as a bit set.
    fn conflicts(&self, _: &State, _: ThreadId, _enabled: bool, right: u64) -> u64 {
        right
    }

    /// Whether all threads move where this one leaves the location.
    fn is_sticky(&self, _: ThreadId, _: LocId, right: bool) -> bool {
        right
    }

    /// Whether a set may begin with the thread.
    fn may_begin(&self, _: &State, _: ThreadId, enabled: bool) -> bool {
        enabled
    }
}

/// Computes stubborn sets of a program.
pub struct Stubborn<'p, 'r> {
    program: &'p Program,
    rules: &'r dyn StubbornRules,
    /// For each thread, location and access, the minimal sets of tokens.
    ways: IndexVec<ThreadId, IndexVec<LocId, Ways>>,
    needs: BTreeMap<(ThreadId, EdgeId), Tokens>,
    sticky: IndexVec<ThreadId, BTreeSet<LocId>>,
    /// What an atomic section that begins at a location may access.
    sections: BTreeMap<(ThreadId, LocId), Accesses>,
}

impl<'p, 'r> Stubborn<'p, 'r> {
    /// Looks at the edges of a program.
    pub fn new(program: &'p Program, rules: &'r dyn StubbornRules) -> Self {
        let mut this = Self {
            program,
            rules,
            ways: IndexVec::new(),
            needs: BTreeMap::new(),
            sticky: IndexVec::new(),
            sections: BTreeMap::new(),
        };
        for t in program.threads.ids() {
            this.find_needs(t);
            this.sticky.push(back_edge_targets(program, t));
            this.find_sections(t);
        }
        for t in program.threads.ids() {
            let ways = this.find_ways(t);
            this.ways.push(ways);
        }
        this
    }

    fn find_needs(&mut self, t: ThreadId) {
        for (e, edge) in self.program.threads[t].edges.iter_enumerated() {
            let mut needs = Tokens::new();
            for (v, var) in self.program.vars.iter_enumerated() {
                let (token, values): (Token, Vec<u128>) = match var.role {
                    Role::MutexOwner if self.rules.is_orderly(v) => {
                        let others = self.program.threads.ids().filter(|&u| u != t);
                        (Token::Mutex(v), others.map(|u| u.index() as u128 + 1).collect())
                    }
                    Role::Status(u) if u != t && self.ends_itself(u) => {
                        (Token::End(u), vec![Status::RUNNING, Status::DETACHED])
                    }
                    _ => continue,
                };
                if values.into_iter().all(|value| self.is_excluded(edge, v, value)) {
                    needs.insert(token);
                }
            }
            if self.rules.counts_tokens() {
                self.needs.insert((t, e), self.rules.needs(t, e, needs));
            }
        }
    }

    /// Whether no other thread makes a running thread look ended.
    fn ends_itself(&self, u: ThreadId) -> bool {
        let v = self.program.threads[u].status;
        let harmless = |edge: &Edge| {
            let writes = edge.assigns.iter().any(|a| a.target == crate::program::Target::Var(v));
            let running = [Status::RUNNING, Status::DETACHED];
            let keeps = edge.assigns.iter().all(|a| {
                a.target != crate::program::Target::Var(v)
                    || self.program.pool.as_const(a.value).is_some_and(|c| running.contains(&c))
            });
            !writes || keeps || running.into_iter().all(|s| self.is_excluded(edge, v, s))
        };
        let others = self.program.threads.iter_enumerated().filter(|&(t, _)| t != u);
        others.into_iter().all(|(_, thread)| thread.edges.iter().all(harmless))
    }

    /// Whether an edge cannot be taken where a variable has this value.
    fn is_excluded(&self, edge: &Edge, v: VarId, value: u128) -> bool {
        let mut scratch: ProgPool = Pool::rewriting();
        let guard = self.program.pool.translate(
            edge.guard,
            &mut scratch,
            &mut |scratch, leaf, width| {
                let is_var = match leaf {
                    Leaf::Var(x) => x == v,
                    Leaf::Loaded(d) => self.at(edge, d) == Some(vec![v]),
                    _ => false,
                };
                match is_var {
                    true => scratch.constant(value, width),
                    false => scratch.leaf(leaf, width),
                }
            },
            &mut HashMap::default(),
        );
        scratch.is_false(guard)
    }

    /// The addresses that a dereference touches, if they are constant.
    fn range(&self, edge: &Edge, d: DerefId) -> Option<Range<u64>> {
        let deref = &edge.derefs[d];
        let mut scratch: ProgPool = Pool::rewriting();
        let addr = self.program.pool.translate(
            deref.addr,
            &mut scratch,
            &mut |scratch, leaf, width| match leaf {
                Leaf::Address(o) => {
                    scratch.constant(u128::from(self.program.objects[o].address), width)
                }
                _ => scratch.leaf(leaf, width),
            },
            &mut HashMap::default(),
        );
        let start = u64::try_from(scratch.as_const(addr)?).ok()?;
        Some(start..start + u64::from(deref.bytes))
    }

    /// The addresses of an object's leaves.
    fn leaves(&self, o: ObjId) -> impl Iterator<Item = (Range<u64>, VarId)> {
        let object = &self.program.objects[o];
        object.leaves.iter().map(|&(offset, v)| {
            let at = object.address + offset;
            (at..at + u64::from(self.program.vars[v].width) / 8, v)
        })
    }

    /// The leaves that a dereference with a constant address touches.
    fn at(&self, edge: &Edge, d: DerefId) -> Option<Vec<VarId>> {
        let Range { start, end } = self.range(edge, d)?;
        let all = self.program.objects.ids().flat_map(|o| self.leaves(o));
        Some(all.filter(|(at, _)| at.start < end && start < at.end).map(|(_, v)| v).collect())
    }

    /// The objects that threads may race for of which a dereference may touch bytes in no leaf.
    fn padding(&self, edge: &Edge, d: DerefId) -> Vec<ObjId> {
        let range = self.range(edge, d);
        let touches = |&o: &ObjId| {
            let object = &self.program.objects[o];
            let own = object.address..object.address + object.size;
            let Range { start, end } = range.clone().unwrap_or(own.clone());
            let mut bytes = start.max(own.start)..end.min(own.end);
            bytes.any(|byte| !self.leaves(o).any(|(at, _)| at.contains(&byte)))
        };
        let raced =
            candidates(self.program, edge, d).into_iter().filter(|&o| self.rules.is_raced(o));
        raced.filter(touches).collect()
    }

    /// What an edge may access by itself; `guard`: or by its guard alone.
    fn of_edge(&self, edge: &Edge, guard: bool) -> Accesses {
        let mut found = Accesses::default();
        for access in accesses(self.program, edge) {
            if guard && access.kind != AccessKind::Guard {
                continue;
            }
            match access.place {
                Place::Var(v) if self.program.vars[v].scope == Scope::Shared => {
                    found.add(Object::Var(v), access.is_write());
                }
                Place::Var(_) => {}
                Place::Deref(d) => {
                    let all = || {
                        let objects = candidates(self.program, edge, d);
                        let leaves = objects.iter().flat_map(|&o| &self.program.objects[o].leaves);
                        leaves.map(|l| l.1).collect()
                    };
                    for v in self.at(edge, d).unwrap_or_else(all) {
                        found.add(Object::Var(v), access.is_write());
                    }
                    for o in self.padding(edge, d) {
                        found.add(Object::Padding(o), access.is_write());
                    }
                }
            }
        }
        for d in edge.derefs.ids() {
            for o in candidates(self.program, edge, d) {
                if let Lifetime::While(v) = self.program.objects[o].lifetime {
                    found.add(Object::Var(v), false);
                }
            }
        }
        found
    }

    fn is_visible(&self, t: ThreadId, edge: &Edge) -> bool {
        let moves = edge.from != edge.to
            && [edge.from, edge.to].iter().any(|&l| self.rules.is_observed_loc(t, l));
        let writes = |o: &Object| matches!(o, Object::Var(v) if self.rules.is_observed(*v));
        // Formulas look at variables of threads, too, which are no objects.
        let own = |t: &Target| matches!(t, Target::Var(v) if self.rules.is_observed(*v));
        let changes = edge.assigns.iter().any(|a| own(&a.target));
        let discards = self.program.threads[t].locations[edge.to].kind == LocKind::Discarded;
        let fails = |s| self.program.sites[s].kind != SiteKind::Assertion;
        let leaves_out = self.rules.are_live() && (discards || edge.site.is_some_and(fails));
        moves || leaves_out || changes || self.of_edge(edge, false).writes.iter().any(writes)
    }

    /// What taking an edge from its location may access: the guards there, and what the edge does.
    fn of_step(&self, t: ThreadId, edge: &Edge) -> Accesses {
        let mut found = self.of_edge(edge, false);
        for (_, other) in self.program.threads[t].edges_from(edge.from) {
            found.extend(&self.of_edge(other, true));
        }
        if self.is_visible(t, edge) {
            found.add(Object::Visible, true);
        }
        found.add(Object::Section, self.keeps_others(t, edge));
        found
    }

    /// Whether an edge may take from others the right to move.
    fn keeps_others(&self, t: ThreadId, edge: &Edge) -> bool {
        let stops = self.program.threads[t].locations[edge.to].kind == LocKind::Stopped;
        (self.rules.are_live() && stops) || self.may_stay(t, edge)
    }

    /// Whether an edge enters an atomic section in which the thread may stay.
    fn may_stay(&self, t: ThreadId, edge: &Edge) -> bool {
        let locations = &self.program.threads[t].locations;
        let entered = !locations[edge.from].atomic && locations[edge.to].atomic;
        entered && {
            let all = inside(self.program, t, edge.to);
            let stays = |&l: &LocId| locations[l].blocking || locations[l].kind != LocKind::Running;
            let cyclic = all.iter().any(|&l| {
                let next = self.program.threads[t].edges_from(l);
                next.into_iter().any(|(_, e)| {
                    locations[e.to].atomic && inside(self.program, t, e.to).contains(&l)
                })
            });
            all.iter().any(stays) || cyclic
        }
    }

    fn find_sections(&mut self, t: ThreadId) {
        let thread = &self.program.threads[t];
        for edge in thread.edges.iter() {
            if thread.locations[edge.from].atomic || !thread.locations[edge.to].atomic {
                continue;
            }
            let mut found = Accesses::default();
            for l in inside(self.program, t, edge.to) {
                for (_, e) in thread.edges_from(l) {
                    found.extend(&self.of_step(t, e));
                }
            }
            self.sections.entry((t, edge.from)).or_default().extend(&found);
        }
    }

    fn find_ways(&self, t: ThreadId) -> IndexVec<LocId, Ways> {
        let thread = &self.program.threads[t];
        let mut ways: IndexVec<LocId, Ways> =
            IndexVec::filled(BTreeMap::new(), thread.locations.len());
        let none = Tokens::new();
        let steps: Vec<Accesses> = thread.edges.iter().map(|e| self.of_step(t, e)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (e, edge) in thread.edges.iter_enumerated() {
                let needs = self.needs.get(&(t, e)).unwrap_or(&none);
                let mut new: Vec<((Object, bool), Tokens)> = vec![];
                let step = &steps[e.index()];
                new.extend(step.all.iter().map(|&o| ((o, false), needs.clone())));
                new.extend(step.writes.iter().map(|&o| ((o, true), needs.clone())));
                for (&key, sets) in &ways[edge.to] {
                    new.extend(sets.iter().map(|s| (key, s | needs)));
                }
                for (key, set) in new {
                    changed |= self.rules.add_way(ways[edge.from].entry(key).or_default(), set);
                }
            }
        }
        ways
    }

    /// The threads that need to move in a state, as a bit set. `next` are the accesses of the steps
    /// that each thread may take, and whether one can be taken; without other threads' atomic
    /// sections.
    pub(super) fn choose(&self, state: &State, next: &[Next]) -> u64 {
        let program = self.program;
        let bit = |t: usize| 1u64 << t;
        for (t, thread) in program.threads.iter_enumerated() {
            if thread.locations[state.loc(t)].atomic {
                return bit(t.index());
            }
        }
        let n = next.len();
        let mut conflicts = vec![0u64; n];
        for (i, own) in next.iter().enumerate() {
            for j in (0..n).filter(|&j| j != i) {
                let meets = match own.enabled {
                    true => self.meets(state, i, j, own),
                    false => self.waits(state, i, j, own),
                };
                conflicts[i] |= u64::from(meets) << j;
            }
            let t = ThreadId::new(i);
            let shows = || own.accesses.all.contains(&Object::Visible);
            if self.rules.are_live() && own.enabled && (self.is_sticky(state, t) || shows()) {
                conflicts[i] = all_of(n);
            }
            conflicts[i] = self.rules.conflicts(state, t, own.enabled, conflicts[i]);
        }
        let mut best: Option<u64> = None;
        for (i, own) in next.iter().enumerate() {
            let t = ThreadId::new(i);
            if !self.rules.may_begin(state, t, own.enabled) {
                continue;
            }
            let mut set = bit(i);
            if own.enabled && self.is_sticky(state, t) {
                set = all_of(n);
            }
            loop {
                let more = (0..n).filter(|&j| set & bit(j) != 0).fold(set, |s, j| s | conflicts[j]);
                if more == set {
                    break;
                }
                set = more;
            }
            if best.is_none_or(|b| set.count_ones() < b.count_ones()) {
                best = Some(set);
            }
        }
        best.unwrap_or(0)
    }

    fn is_sticky(&self, state: &State, t: ThreadId) -> bool {
        let loc = state.loc(t);
        self.rules.is_sticky(t, loc, self.sticky[t].contains(&loc))
    }

    /// What taking the thread's edges accesses in a state, given what the interpreter says that
    /// they read and write.
    pub(super) fn next(
        &self,
        state: &State,
        t: ThreadId,
        enabled: bool,
        footprints: &[(Option<EdgeId>, Vec<VarId>, Vec<VarId>)],
    ) -> Next {
        let mut found = Accesses::default();
        let thread = &self.program.threads[t];
        for (edge, reads, writes) in footprints {
            reads.iter().for_each(|&v| found.add(Object::Var(v), false));
            writes.iter().for_each(|&v| found.add(Object::Var(v), true));
            if let Some(edge) = edge.map(|e| &thread.edges[e]) {
                if self.is_visible(t, edge) {
                    found.add(Object::Visible, true);
                }
                let own = self.of_edge(edge, false);
                let padding = own.all.iter().filter(|o| matches!(o, Object::Padding(_)));
                padding.for_each(|o| found.add(*o, own.writes.contains(o)));
                found.add(Object::Section, self.keeps_others(t, edge));
                if thread.locations[edge.to].atomic && !thread.locations[edge.from].atomic {
                    found.extend(&self.sections[&(t, state.loc(t))]);
                }
            }
        }
        Next { enabled, accesses: found }
    }

    fn meets(&self, state: &State, i: usize, j: usize, own: &Next) -> bool {
        let may = |o: &Object, write| self.first(state, i, j, *o, write, true);
        own.accesses.writes.iter().any(|o| may(o, false))
            || own.accesses.all.iter().any(|o| may(o, true))
    }

    fn waits(&self, state: &State, i: usize, j: usize, own: &Next) -> bool {
        let t = ThreadId::new(i);
        let thread = &self.program.threads[t];
        let loc = state.loc(t);
        let mut common: Option<Tokens> = None;
        for (e, _) in thread.edges_from(loc) {
            let needs = self.needs.get(&(t, e)).cloned().unwrap_or_default();
            common = Some(common.map_or(needs.clone(), |c| &c & &needs));
        }
        let keepers =
            |token| (0..self.ways.len()).filter(|&u| u != i).any(|u| self.keeps(state, u, token));
        for token in common.into_iter().flatten() {
            if keepers(token) {
                return self.keeps(state, j, token);
            }
        }
        let born = loc != thread.start;
        own.accesses.all.iter().any(|o| self.first(state, i, j, *o, true, born))
    }

    /// Whether `j` may get to an access before `i` has moved.
    fn first(
        &self,
        state: &State,
        i: usize,
        j: usize,
        object: Object,
        write: bool,
        tokens: bool,
    ) -> bool {
        let t = ThreadId::new(j);
        let Some(sets) = self.ways[t][state.loc(t)].get(&(object, write)) else { return false };
        let free = |set: &Tokens| !set.iter().any(|&token| self.keeps(state, i, token));
        (!tokens || sets.iter().any(free)) && !self.is_kept_from_birth(state, i, t)
    }

    fn keeps(&self, state: &State, i: usize, token: Token) -> bool {
        let right = match token {
            Token::Mutex(v) => state.value(v) == i as u128 + 1,
            Token::End(u) => {
                let status = state.value(self.program.threads[u].status);
                u.index() == i && (status == Status::RUNNING || status == Status::DETACHED)
            }
        };
        self.rules.keeps(state, ThreadId::new(i), token, right)
    }

    /// Whether `t` is not born and nobody but `i` may create it.
    fn is_kept_from_birth(&self, state: &State, i: usize, t: ThreadId) -> bool {
        let thread = &self.program.threads[t];
        let status = Object::Var(thread.status);
        let waits = state.loc(t) == thread.start
            && thread
                .edges_from(thread.start)
                .all(|(_, e)| self.of_edge(e, true).all.contains(&status))
            && ![Status::RUNNING, Status::DETACHED].contains(&state.value(thread.status));
        let creators = self.program.threads.ids().filter(|&k| k.index() != i && k != t);
        waits
            && !creators
                .into_iter()
                .any(|k| self.ways[k][state.loc(k)].contains_key(&(status, true)))
    }
}

fn all_of(threads: usize) -> u64 {
    u64::MAX >> (64 - threads.min(64))
}

/// What a thread may do next.
pub(super) struct Next {
    enabled: bool,
    accesses: Accesses,
}

/// The atomic locations that can be reached from an atomic one without leaving the section.
fn inside(program: &Program, t: ThreadId, from: LocId) -> BTreeSet<LocId> {
    let thread = &program.threads[t];
    let mut found = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(l) = work.pop() {
        for (_, e) in thread.edges_from(l) {
            if thread.locations[e.to].atomic && found.insert(e.to) {
                work.push(e.to);
            }
        }
    }
    found
}

/// Where the backward edges of a depth-first search lead.
fn back_edge_targets(program: &Program, t: ThreadId) -> BTreeSet<LocId> {
    let thread = &program.threads[t];
    let next: IndexVec<LocId, Vec<LocId>> =
        thread.locations.ids().map(|l| thread.edges_from(l).map(|(_, e)| e.to).collect()).collect();
    let mut open = IndexVec::<LocId, bool>::filled(false, next.len());
    let mut seen = open.clone();
    let mut found = BTreeSet::new();
    let mut stack = vec![(thread.start, 0)];
    seen[thread.start] = true;
    open[thread.start] = true;
    while let Some((l, k)) = stack.pop() {
        let Some(&to) = next[l].get(k) else {
            open[l] = false;
            continue;
        };
        stack.push((l, k + 1));
        if open[to] {
            found.insert(to);
        } else if !seen[to] {
            seen[to] = true;
            open[to] = true;
            stack.push((to, 0));
        }
    }
    found
}
