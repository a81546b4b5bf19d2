//! Lock acquisition patterns: which tokens a thread certainly has to be given on its way from a
//! location to an access.
//!
//! For each location, object and kind of access, the minimal sets of tokens of the paths to such
//! an access, its own step included: a backward data flow over antichains of sets. Where there are
//! more sets than the limit, two become their intersection, which claims less. V. Kahlon, A. Gupta,
//! N. Sinha (CAV 2006); the form here is that of the project's REDUCTION.md, section 2.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{Budget, HashSet, IndexVec, Stop};
use crate::program::contention::{Item, items};
use crate::program::{AccessKind, EdgeId, LocId, LocKind, Program, SiteKind, ThreadId, VarId};

use super::facts::{Facts, Sharing};
use super::held::Held;
use super::sections::may_stay;
use super::tokens::{Token, Tokens};

/// What steps of different threads can meet at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A shared variable; mutexes and statuses of threads are variables, too.
    Var(VarId),
    /// Data that threads may race for, whatever becomes of its value.
    Raced(Item),
    /// What a property looks at in every state: written by whoever changes it.
    Visible,
    /// The right of all others to move: written by whoever enters an atomic section in which it may
    /// stay, or (for temporal formulas) ends the process, read by every step. Nothing else needs to
    /// meet there.
    Section,
}

/// A kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// A read or a write.
    Any,
    /// A write.
    Write,
}

/// A set of tokens, ascending.
pub type TokenSet = Vec<Token>;

/// Options of [`Patterns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternOptions {
    /// Whether tokens count; if not, all that is asked is whether an access can be reached.
    pub tokens: bool,
    /// Most sets for one location, object and kind of access: 1 to 8.
    pub sets: usize,
    /// Whether they are for temporal formulas: then the end of the process meets every step, and
    /// what leaves a run out of those that count can be seen.
    pub live: bool,
}

impl Default for PatternOptions {
    fn default() -> Self {
        Self { tokens: true, sets: 2, live: false }
    }
}

/// The sets of one thread, object and kind of access by location; none where no such access can
/// be reached.
type Sets = IndexVec<LocId, Vec<TokenSet>>;

/// The lock acquisition patterns of a program.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// The tokens of edges, whether they count here or not.
    pub tokens: Tokens,
    /// Which mutexes are certainly held.
    pub held: Held,
    sets: BTreeMap<(ThreadId, Object, Mode), Sets>,
    /// Where a thread may enter an atomic section in which it may stay.
    entries: BTreeSet<(ThreadId, LocId)>,
    /// The steps that change what properties look at.
    visible: BTreeSet<(ThreadId, EdgeId)>,
    /// The steps after which nothing moves, if that matters.
    ends: BTreeSet<(ThreadId, EdgeId)>,
}

impl Patterns {
    /// Analyses a program. `observed` are the locations that properties look at in every state.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        facts: &Facts,
        held: Held,
        observed: &IndexVec<ThreadId, HashSet<LocId>>,
        options: PatternOptions,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let tokens = Tokens::new(program, facts, &held);
        let mut this = Self {
            tokens,
            held,
            sets: BTreeMap::new(),
            entries: BTreeSet::new(),
            visible: BTreeSet::new(),
            ends: BTreeSet::new(),
        };
        for t in program.threads.ids() {
            this.find_entries(program, facts, t);
            this.find_visible(program, facts, t, &observed[t], options.live);
            if options.live {
                this.find_ends(program, facts, t);
            }
        }
        for t in program.threads.ids() {
            this.find_sets(program, facts, t, options, budget)?;
        }
        Ok(this)
    }

    /// The minimal sets of tokens on the ways from a location to an access; empty if there is no
    /// way.
    pub fn sets(&self, thread: ThreadId, loc: LocId, object: Object, mode: Mode) -> &[TokenSet] {
        self.sets.get(&(thread, object, mode)).map_or(&[], |sets| &sets[loc])
    }

    /// Whether entering an atomic section at this location may be for long.
    pub fn may_stay(&self, thread: ThreadId, loc: LocId) -> bool {
        self.entries.contains(&(thread, loc))
    }

    /// Whether the edge changes what properties look at.
    pub fn is_visible(&self, thread: ThreadId, edge: EdgeId) -> bool {
        self.visible.contains(&(thread, edge))
    }

    /// Whether nothing moves after the edge.
    pub fn ends_process(&self, thread: ThreadId, edge: EdgeId) -> bool {
        self.ends.contains(&(thread, edge))
    }

    /// Whether some thread may take from others the right to move.
    pub fn has_stays(&self) -> bool {
        !self.entries.is_empty() || !self.ends.is_empty()
    }

    fn find_entries(&mut self, program: &Program, facts: &Facts, t: ThreadId) {
        let thread = &program.threads[t];
        let outgoing = facts.outgoing(program, t);
        for l in thread.locations.ids().filter(|&l| !thread.locations[l].atomic) {
            let enters = outgoing[l].iter().any(|&e| thread.locations[thread.edges[e].to].atomic);
            if enters && may_stay(thread, &outgoing, l) {
                self.entries.insert((t, l));
            }
        }
    }

    fn find_visible(
        &mut self,
        program: &Program,
        facts: &Facts,
        t: ThreadId,
        observed: &HashSet<LocId>,
        live: bool,
    ) {
        let thread = &program.threads[t];
        for (e, edge) in thread.edges.iter_enumerated() {
            let ends = [edge.from, edge.to];
            let mut visible = edge.from != edge.to && ends.iter().any(|l| observed.contains(l));
            let fails = |s| program.sites[s].kind != SiteKind::Assertion;
            let discards = thread.locations[edge.to].kind == LocKind::Discarded;
            visible |= live && (discards || edge.site.is_some_and(fails));
            facts.for_each_access(program, t, e, &mut |v, kind| {
                visible |= kind == AccessKind::Write && facts.is_observed(v);
            });
            if visible && facts.ranges.is_taken(t, e) {
                self.visible.insert((t, e));
            }
        }
    }

    fn find_ends(&mut self, program: &Program, facts: &Facts, t: ThreadId) {
        let thread = &program.threads[t];
        let edges = thread.edges.iter_enumerated();
        let stops = edges.filter(|(_, e)| thread.locations[e.to].kind == LocKind::Stopped);
        let taken = stops.filter(|(e, _)| facts.ranges.is_taken(t, *e));
        self.ends.extend(taken.map(|(e, _)| (t, e)));
    }

    /// The accesses of the step over each edge.
    fn accesses(
        &self,
        program: &Program,
        facts: &Facts,
        t: ThreadId,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
    ) -> BTreeMap<(Object, Mode), BTreeSet<EdgeId>> {
        let mut found: BTreeMap<(Object, Mode), BTreeSet<EdgeId>> = BTreeMap::new();
        for (l, edges) in outgoing.iter_enumerated() {
            for &e in edges {
                facts.for_each_access(program, t, e, &mut |v, kind| {
                    if facts.sharing(v) != Sharing::Shared {
                        return;
                    }
                    let object = Object::Var(v);
                    let any = found.entry((object, Mode::Any)).or_default();
                    match kind {
                        // Whichever edge is taken, the guards of all are looked at.
                        AccessKind::Guard => any.extend(edges),
                        AccessKind::Value | AccessKind::Write => {
                            any.insert(e);
                        }
                    }
                    if kind == AccessKind::Write {
                        found.entry((object, Mode::Write)).or_default().insert(e);
                    }
                });
                for (item, writes) in raced_items(program, facts, t, e) {
                    found.entry((Object::Raced(item), Mode::Any)).or_default().insert(e);
                    if writes {
                        found.entry((Object::Raced(item), Mode::Write)).or_default().insert(e);
                    }
                }
                if self.is_visible(t, e) {
                    for mode in [Mode::Any, Mode::Write] {
                        found.entry((Object::Visible, mode)).or_default().insert(e);
                    }
                }
                if self.has_stays() {
                    found.entry((Object::Section, Mode::Any)).or_default().insert(e);
                }
                let enters = program.threads[t].locations[program.threads[t].edges[e].to].atomic;
                if (enters && self.may_stay(t, l)) || self.ends_process(t, e) {
                    found.entry((Object::Section, Mode::Write)).or_default().insert(e);
                }
            }
        }
        found
    }

    fn find_sets(
        &mut self,
        program: &Program,
        facts: &Facts,
        t: ThreadId,
        options: PatternOptions,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let thread = &program.threads[t];
        let outgoing = facts.outgoing(program, t);
        let mut incoming = IndexVec::<LocId, Vec<EdgeId>>::filled(vec![], thread.locations.len());
        for &e in outgoing.iter().flatten() {
            incoming[thread.edges[e].to].push(e);
        }
        let needed: IndexVec<EdgeId, TokenSet> = thread
            .edges
            .ids()
            .map(|e| if options.tokens { self.tokens.of(t, e).collect() } else { vec![] })
            .collect();
        let accesses = self.accesses(program, facts, t, &outgoing);
        for (key, edges) in accesses {
            if let Some(stop) = budget.check() {
                return Err(stop);
            }
            let mut at: Sets = IndexVec::filled(vec![], thread.locations.len());
            let mut work: Vec<LocId> = vec![];
            for &e in &edges {
                let from = thread.edges[e].from;
                if add(&mut at[from], needed[e].clone(), options.sets) {
                    work.push(from);
                }
            }
            while let Some(loc) = work.pop() {
                let here = at[loc].clone();
                for &e in &incoming[loc] {
                    let from = thread.edges[e].from;
                    let mut grew = false;
                    for set in &here {
                        let more: BTreeSet<Token> = set.iter().chain(&needed[e]).copied().collect();
                        let more = more.into_iter().collect();
                        grew |= add(&mut at[from], more, options.sets);
                    }
                    if grew {
                        work.push(from);
                    }
                }
            }
            self.sets.insert((t, key.0, key.1), at);
        }
        Ok(())
    }
}

/// The items that an edge accesses and threads may race for, and whether it writes.
pub fn raced_items(program: &Program, facts: &Facts, t: ThreadId, e: EdgeId) -> Vec<(Item, bool)> {
    let edge = &program.threads[t].edges[e];
    let all = facts.raced_accesses(program, t, e).into_iter();
    all.flat_map(|a| items(program, edge, a.place).into_iter().map(move |i| (i, a.write)))
        .filter(|&(item, _)| facts.is_raced(item))
        .collect()
}

fn is_subset(a: &TokenSet, b: &TokenSet) -> bool {
    a.iter().all(|x| b.contains(x))
}

/// Adds a set to an antichain of at most `most` sets; whether it claims less than before.
fn add(sets: &mut Vec<TokenSet>, new: TokenSet, most: usize) -> bool {
    if sets.iter().any(|old| is_subset(old, &new)) {
        return false;
    }
    sets.retain(|old| !is_subset(&new, old));
    sets.push(new);
    sets.sort();
    while sets.len() > most.max(1) {
        // The two that have most in common.
        let mut best = (0, 1, 0);
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let common = sets[a].iter().filter(|&x| sets[b].contains(x)).count();
                if common > best.2 {
                    best = (a, b, common);
                }
            }
        }
        let second = sets.remove(best.1);
        let first = sets.remove(best.0);
        let common: TokenSet = first.into_iter().filter(|x| second.contains(x)).collect();
        sets.retain(|old| !is_subset(&common, old));
        if !sets.iter().any(|old| is_subset(old, &common)) {
            sets.push(common);
            sets.sort();
        }
    }
    true
}
