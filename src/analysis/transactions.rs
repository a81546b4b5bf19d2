//! Transactions: locations that a thread may pass without letting others move.
//!
//! T. Wilhelm's thesis (`SEEDS` 004), with the side conditions of the project's REDUCTION.md. A
//! transaction is right movers, then at most one step that moves in no way, then left movers.
//! Before that one step it may wait, and is then as if it had not begun; after it, it neither waits
//! nor goes round a loop (whoever builds steps cuts every loop). Errors of all threads on local
//! state are kept.
//!
//! Deadlocks and races are states, and transactions pass over states. What is kept of those: all in
//! which each thread is at a boundary or may be brought to one without the others' noticing, back
//! over its right movers or on over its left movers. So a race is kept where each location at which
//! a thread is about to make a raced access, or to enter an atomic section with one, is a boundary,
//! and a deadlock where each location at which a thread may wait is one ([`Stops`]).

use crate::base::{Budget, HashSet, IndexVec, Stop};
use crate::program::{EdgeId, LocId, LocKind, Program, ThreadId};

use super::facts::Facts;
use super::movers::{Mover, Movers};
use super::sections::{has_cycle, section};

/// How far a transaction may have got at a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Only right movers may lie behind.
    pub before: bool,
    /// A step that is no right mover may lie behind.
    pub after: bool,
}

/// Where the transactions of each thread begin.
#[derive(Clone, Debug)]
pub struct Transactions {
    /// What they follow from.
    pub movers: Movers,
    boundary: IndexVec<ThreadId, IndexVec<LocId, bool>>,
    phases: IndexVec<ThreadId, IndexVec<LocId, Phases>>,
}

impl Transactions {
    /// Finds the transactions of a program. `observed` locations are boundaries, and those that
    /// `stops` names.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        facts: &Facts,
        observed: &IndexVec<ThreadId, HashSet<LocId>>,
        stops: Stops,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let movers = Movers::new(program, facts, observed, budget)?;
        let (mut boundary, mut phases) = (IndexVec::new(), IndexVec::new());
        for t in program.threads.ids() {
            let mut finder = Finder::new(program, facts, &movers, t, &observed[t]);
            finder.stop(facts, stops);
            finder.run();
            boundary.push(finder.boundary);
            phases.push(finder.phases);
        }
        Ok(Self { movers, boundary, phases })
    }

    /// Whether a transaction begins at the location (or the thread is done there).
    pub fn is_boundary(&self, thread: ThreadId, loc: LocId) -> bool {
        self.boundary[thread][loc]
    }

    /// How far transactions may have got at a location; at a boundary, those that end there.
    pub fn phases(&self, thread: ThreadId, loc: LocId) -> Phases {
        self.phases[thread][loc]
    }
}

/// Which boundaries there are besides those that follow from the movers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stops {
    /// Where a thread may wait, so that deadlocks are kept. (Races are, for the items that the
    /// facts were told are raced.)
    pub waiting: bool,
}

struct Finder<'a> {
    program: &'a Program,
    thread: ThreadId,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    movers: IndexVec<LocId, Mover>,
    boundary: IndexVec<LocId, bool>,
    phases: IndexVec<LocId, Phases>,
}

impl<'a> Finder<'a> {
    fn new(
        program: &'a Program,
        facts: &Facts,
        movers: &Movers,
        thread: ThreadId,
        observed: &HashSet<LocId>,
    ) -> Self {
        let t = &program.threads[thread];
        let outgoing = facts.outgoing(program, thread);
        let count = t.locations.len();
        let mut this = Self {
            program,
            thread,
            outgoing,
            movers: t.locations.ids().map(|l| movers.at(thread, l)).collect(),
            boundary: IndexVec::filled(false, count),
            phases: IndexVec::filled(Phases::default(), count),
        };
        for (l, location) in t.locations.iter_enumerated() {
            // Who has taken again what it has is at an end, though it runs.
            let stays = location.kind != LocKind::Running || t.edges_from(l).next().is_none();
            this.boundary[l] = l == t.start || stays || (observed.contains(&l) && !location.atomic);
        }
        this.entries();
        this
    }

    /// Makes the locations boundaries that the properties need as such. An atomic section is
    /// entered from one where something inside of it needs one.
    fn stop(&mut self, facts: &Facts, stops: Stops) {
        let (program, thread) = (self.program, self.thread);
        let t = &program.threads[thread];
        let races = |e: &EdgeId| !facts.raced_accesses(program, thread, *e).is_empty();
        let wanted = |l: LocId| {
            (stops.waiting && t.locations[l].blocking) || self.outgoing[l].iter().any(races)
        };
        let outside = t.locations.ids().filter(|&l| !t.locations[l].atomic);
        let found: Vec<LocId> = outside
            .filter(|&l| wanted(l) || section(t, &self.outgoing, l).into_iter().any(wanted))
            .collect();
        found.into_iter().for_each(|l| self.boundary[l] = true);
    }

    /// An atomic section is one step: its entry moves if all of it does. One in which the thread
    /// may stay keeps others from moving, and so moves over nothing.
    fn entries(&mut self) {
        let t = &self.program.threads[self.thread];
        for l in t.locations.ids().filter(|&l| !t.locations[l].atomic) {
            let inside = section(t, &self.outgoing, l);
            let moves = |&i: &LocId| {
                self.movers[i] == Mover::BOTH && t.locations[i].kind == LocKind::Running
            };
            if !inside.iter().all(moves) || has_cycle(t, &self.outgoing, &inside) {
                self.movers[l] = Mover::NONE;
            }
        }
    }

    /// Follows the phases from the boundaries, and makes a boundary wherever a step that must not
    /// come after the one that moves in no way would do so. As a boundary such a location leads on
    /// to what it led to before: the phase that makes it one is not followed further.
    fn run(&mut self) {
        let t = &self.program.threads[self.thread];
        let mut work: Vec<LocId> = t.locations.ids().filter(|&l| self.boundary[l]).collect();
        while let Some(l) = work.pop() {
            let here = match self.boundary[l] {
                true => Phases { before: true, after: false },
                false => self.phases[l],
            };
            let right = self.movers[l].right;
            let before = here.before && right;
            let after = here.after || (here.before && !right);
            for &e in &self.outgoing[l] {
                let to = t.edges[e].to;
                let location = &t.locations[to];
                let old = self.phases[to];
                let new = Phases { before: old.before || before, after: old.after || after };
                if new == old {
                    continue;
                }
                self.phases[to] = new;
                if self.boundary[to] {
                    continue;
                }
                let fits = location.atomic || (self.movers[to].left && !location.blocking);
                self.boundary[to] = new.after && !fits;
                work.push(to);
            }
        }
    }
}
