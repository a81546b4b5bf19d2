//! Movers: which steps of a thread can be swapped with the steps of others that come just before
//! or just after them.
//!
//! R. J. Lipton: Reduction: a method of proving properties of parallel programs (CACM 1975);
//! T. Wilhelm's thesis (`SEEDS` 004) for locks held. A step here is everything that leaves one
//! location: the guards of all edges, and the edge that is taken.
//!
//! For each shared variable that both use, two steps of different threads can be swapped if none
//! writes it, or if they never follow each other (a common mutex is held at both locations; one
//! thread does not run yet or any more), or if the variable is a mutex or a thread's status and
//! both steps use it in known ways.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{Budget, HashSet, IndexVec, Stop};
use crate::program::{
    AccessKind, EdgeId, LocId, LocKind, Program, Role, Status, Sync, ThreadId, VarId,
};

use super::alive::Alive;
use super::facts::{Facts, Sharing};
use super::held::{FREE, Held, owner};
use super::uses::{Use, Written};

/// Which way a step can be moved over the steps of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover {
    /// To the right: over what another thread does just after it.
    pub right: bool,
    /// To the left: over what another thread does just before it.
    pub left: bool,
}

impl Mover {
    /// In both ways.
    pub const BOTH: Self = Self { right: true, left: true };
    /// In no way.
    pub const NONE: Self = Self { right: false, left: false };
}

/// How a step uses the owner of a mutex or the status of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Waits for a mutex and takes it.
    Lock,
    /// Takes a mutex, or finds that it is not free.
    TryLock,
    /// Releases a mutex that the thread owns, or finds that it does not.
    Unlock,
    /// Looks whether the thread owns a mutex.
    Own,
    /// Makes a free thread run, or finds that it is not free.
    Create,
    /// A created thread's first step.
    Start,
    /// A thread's last step.
    End,
    /// Waits for a thread's end, or finds that it is free.
    Join,
    /// Looks whether a thread is free.
    IsFree,
    /// Anything else.
    Other,
}

/// One step's use of one shared variable.
struct Step {
    thread: ThreadId,
    loc: LocId,
    writes: bool,
    /// The edges that use it: all if a guard does.
    edges: Vec<EdgeId>,
    class: Class,
}

/// The movers of a program, and the facts that they follow from.
#[derive(Clone, Debug)]
pub struct Movers {
    /// Mutexes held.
    pub held: Held,
    /// Order of create and join.
    pub alive: Alive,
    at: IndexVec<ThreadId, IndexVec<LocId, Mover>>,
}

impl Movers {
    /// Analyses a program. Entering and leaving `observed` locations, and writing variables that
    /// the facts were told are observed, can be moved in no way.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        facts: &Facts,
        observed: &IndexVec<ThreadId, HashSet<LocId>>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let alive = Alive::new(program, facts);
        let held = Held::new(program, facts, &alive);
        let all = |t: ThreadId| IndexVec::filled(Mover::BOTH, program.threads[t].locations.len());
        let at = program.threads.ids().map(all).collect();
        let mut this = Self { held, alive, at };
        for (v, steps) in steps(program, facts, &this.held) {
            if let Some(stop) = budget.check() {
                return Err(stop);
            }
            this.look_at(program, facts, v, &steps);
        }
        for (t, thread) in program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                if observed[t].contains(&edge.from) || observed[t].contains(&edge.to) {
                    this.at[t][edge.from] = Mover::NONE;
                }
            }
        }
        Ok(this)
    }

    /// How the step that leaves the location moves.
    pub fn at(&self, thread: ThreadId, loc: LocId) -> Mover {
        self.at[thread][loc]
    }

    fn look_at(&mut self, program: &Program, facts: &Facts, v: VarId, steps: &[Step]) {
        for a in steps {
            let mut mover = self.at[a.thread][a.loc];
            if a.writes && facts.is_observed(v) {
                mover = Mover::NONE;
            }
            for b in steps.iter().filter(|b| b.thread != a.thread && (a.writes || b.writes)) {
                if mover == Mover::NONE {
                    break;
                }
                mover.right &= self.can_swap(program, v, a, b);
                mover.left &= self.can_swap(program, v, b, a);
            }
            self.at[a.thread][a.loc] = mover;
        }
    }

    /// Whether the two steps, of different threads, can be swapped as far as `v` is concerned
    /// where `second` follows `first` immediately.
    fn can_swap(&self, program: &Program, v: VarId, first: &Step, second: &Step) -> bool {
        let (t, u) = (first.thread, second.thread);
        let (held, alive) = (&self.held, &self.alive);
        let excluded = || {
            let here = held.at(t, first.loc);
            held.at(u, second.loc).iter().any(|m| here.contains(m))
        };
        let ordered = || {
            first.edges.iter().all(|&e| !alive.runs_after(t, first.loc, e, u))
                || !alive.runs_at(u, second.loc, t)
                || !alive.together(t, u)
        };
        let known = || match program.vars[v].role {
            Role::MutexOwner => held.is_orderly(v) && mutex_steps_swap(first.class, second.class),
            Role::Status(_) => status_steps_swap(first.class, second.class),
            _ => false,
        };
        known() || excluded() || ordered()
    }
}

/// Swapping steps on an orderly mutex. `Lock` then `Lock`, for example, cannot happen.
fn mutex_steps_swap(first: Class, second: Class) -> bool {
    use Class::{Lock, Own, TryLock, Unlock};
    matches!(
        (first, second),
        (Own, Lock | TryLock | Unlock | Own)
            | (Lock | TryLock | Unlock, Own)
            | (Lock, Lock | Unlock)
            | (Unlock, Unlock)
            | (TryLock, Lock)
    )
}

/// Swapping steps on the status of a thread; `Start` and `End` are that thread's own.
fn status_steps_swap(first: Class, second: Class) -> bool {
    use Class::{Create, End, IsFree, Join, Start};
    matches!(
        (first, second),
        // A thread that ends is free neither before nor after.
        (End, IsFree)
            | (IsFree, End)
            | (Start | End, Create)
            | (Create, End | Join)
            | (Start, Join)
            | (Join, Start | End)
    )
}

/// The steps that use each shared variable.
fn steps(program: &Program, facts: &Facts, held: &Held) -> BTreeMap<VarId, Vec<Step>> {
    let mut result: BTreeMap<VarId, Vec<Step>> = BTreeMap::new();
    for t in program.threads.ids() {
        for (loc, edges) in facts.outgoing(program, t).iter_enumerated() {
            let mut uses: BTreeMap<VarId, (bool, bool, BTreeSet<EdgeId>)> = BTreeMap::new();
            for &e in edges {
                facts.for_each_access(program, t, e, &mut |v, kind| {
                    if facts.sharing(v) == Sharing::Shared {
                        let (writes, guard, list) = uses.entry(v).or_default();
                        *writes |= kind == AccessKind::Write;
                        *guard |= kind == AccessKind::Guard;
                        list.insert(e);
                    }
                });
            }
            for (v, (writes, guard, list)) in uses {
                let list = if guard { edges.clone() } else { list.into_iter().collect() };
                let class = match program.vars[v].role {
                    Role::MutexOwner => mutex_class(program, facts, held, (t, loc), &list, v),
                    Role::Status(u) => status_class(program, facts, (t, loc), &list, (u, v)),
                    _ => Class::Other,
                };
                let step = Step { thread: t, loc, writes, edges: list, class };
                result.entry(v).or_default().push(step);
            }
        }
    }
    result
}

fn mutex_class(
    program: &Program,
    facts: &Facts,
    held: &Held,
    (t, loc): (ThreadId, LocId),
    edges: &[EdgeId],
    v: VarId,
) -> Class {
    let me = owner(t);
    let (mut takes, mut gives, mut finds_busy) = (false, false, false);
    for &e in edges {
        let how = Use::new(program, facts, t, e, v);
        if how.opaque || how.tests.iter().any(|&c| c != FREE && c != me) {
            return Class::Other;
        }
        match how.written {
            Written::No => finds_busy |= how.tests.contains(&FREE),
            Written::Constant(c) if c == me && how.required == Some(FREE) => takes = true,
            Written::Constant(FREE) if !how.tests.contains(&FREE) => {
                if how.required != Some(me) && !held.at(t, loc).contains(&v) {
                    return Class::Other;
                }
                gives = true;
            }
            _ => return Class::Other,
        }
    }
    let waits = program.threads[t].locations[loc].blocking;
    match (takes, gives, finds_busy) {
        (true, false, false) if waits => Class::Lock,
        (true, false, _) if !waits => Class::TryLock,
        (false, true, false) => Class::Unlock,
        (false, false, false) => Class::Own,
        _ => Class::Other,
    }
}

fn status_class(
    program: &Program,
    facts: &Facts,
    (t, loc): (ThreadId, LocId),
    edges: &[EdgeId],
    (u, v): (ThreadId, VarId),
) -> Class {
    let thread = &program.threads[t];
    let mut found: Option<Class> = None;
    let mut tests = BTreeSet::new();
    for &e in edges {
        let how = Use::new(program, facts, t, e, v);
        let class = match (how.opaque, how.written, thread.edges[e].sync) {
            (true, ..) => Class::Other,
            (_, Written::No, Sync::Join(w)) if w == u => Class::Join,
            (_, Written::No, _) if t == u => Class::Start,
            (_, Written::No, _) => {
                tests.extend(how.tests);
                continue;
            }
            (_, Written::Constant(Status::RUNNING), Sync::Create(w)) if w == u => Class::Create,
            (_, Written::Constant(Status::FREE), Sync::Join(w)) if w == u => Class::Join,
            (_, Written::Constant(Status::ENDED), _) if t == u => Class::End,
            _ => Class::Other,
        };
        let fits = match class {
            Class::Join => how.required == Some(Status::ENDED),
            Class::Start => how.required == Some(Status::RUNNING) && loc == thread.start,
            Class::End => {
                let to = thread.edges[e].to;
                how.tests.is_empty()
                    && (to == thread.start || thread.locations[to].kind == LocKind::Ended)
            }
            _ => true,
        };
        if !fits || found.is_some_and(|f| f != class) {
            return Class::Other;
        }
        tests.extend(how.tests);
        found = Some(class);
    }
    let waits = thread.locations[loc].blocking;
    match found {
        Some(Class::Create) if tests.iter().all(|&c| c == Status::FREE) => Class::Create,
        Some(Class::Start) if waits && tests.len() == 1 => Class::Start,
        Some(Class::End) => Class::End,
        // An edge to a site where the thread is free, but none where it is running.
        Some(Class::Join) if waits && !tests.contains(&Status::RUNNING) => Class::Join,
        None if tests.iter().all(|&c| c == Status::FREE) => Class::IsFree,
        _ => Class::Other,
    }
}
