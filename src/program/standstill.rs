//! Local deadlocks: threads that wait for ever while others may go on. Definitions, and the
//! reference for single states.
//!
//! A thread *waits for* another one if it cannot move, and would take a lock if the other one, which
//! has it, gave it back (if all who hold it for reading did), or would join the other one if that had
//! ended; and for itself if it takes a lock again that it has. A *cycle* is one of this relation. Who
//! holds read-write locks for reading is known in programs that remember it
//! ([`super::remember_readers`]).
//!
//! A *hang* is a condition variable at which a thread waits, while each thread that has been created
//! and has not ended waits there, too, or is at a location from which its control flow does not
//! lead to a signal or broadcast there, nor to the creation of a thread that does.
//!
//! Both are looked for in states in which the process has not ended, no `assume` was false and no
//! thread is inside an atomic section.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::base::{Id, IndexVec};

use super::accesses::whole;
use super::interp::{InternalError, Machine, State};
use super::readers::read_holds;
use super::types::{
    Edge, Leaf, LocId, LocKind, ProgExpr, Program, Role, SiteKind, Status, Sync, Target, ThreadId,
    VarId,
};

/// A kind of local deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// Threads each of which waits for the next one.
    Cycle,
    /// At the condition variable with these waiting threads.
    Hang(VarId),
}

/// What a program's control flow says about waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// The sets of threads that wait at condition variables, ascending.
    conditions: Vec<VarId>,
    /// For each location, which of `conditions` may still be signalled from there.
    signals: IndexVec<ThreadId, IndexVec<LocId, BTreeSet<VarId>>>,
    /// Where a thread waits for what it has itself.
    relocked: BTreeSet<(ThreadId, LocId)>,
    /// By numbers of readers: the threads that may read, and how often each of them does.
    holds: BTreeMap<VarId, Vec<(ThreadId, VarId)>>,
    /// What the waiting depends on.
    vars: Vec<VarId>,
}

impl Standstill {
    /// Looks through a program.
    pub fn new(program: &Program) -> Self {
        let mut conditions = BTreeSet::new();
        let mut relocked = BTreeSet::new();
        for (t, thread) in program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                if edge.sync == Sync::Wait {
                    conditions.extend(waiters(program, edge));
                }
                if edge.site.is_some_and(|s| program.sites[s].kind == SiteKind::Relock) {
                    relocked.insert((t, edge.to));
                }
            }
        }
        let conditions: Vec<VarId> = conditions.into_iter().collect();
        let signals = signals(program, &conditions);
        let mut holds: BTreeMap<VarId, Vec<_>> = BTreeMap::new();
        for (lock, t, v) in read_holds(program) {
            holds.entry(lock).or_default().push((t, v));
        }
        let mut this = Self { conditions, signals, relocked, holds, vars: vec![] };
        this.vars = this.depends(program);
        this
    }

    /// The sets of threads that wait at condition variables, ascending.
    pub fn conditions(&self) -> &[VarId] {
        &self.conditions
    }

    /// Whether the control flow leads from the location to a signal or broadcast at the condition
    /// variable, in the same thread or one that is created on the way.
    pub fn may_signal(&self, t: ThreadId, loc: LocId, condition: VarId) -> bool {
        self.signals[t][loc].contains(&condition)
    }

    /// Whether a thread that is at the location waits for what it has itself.
    pub fn is_relocked(&self, t: ThreadId, loc: LocId) -> bool {
        self.relocked.contains(&(t, loc))
    }

    /// The threads that may hold the read-write lock with this number of readers for reading, and
    /// the variables that are not 0 while they do.
    pub fn readers(&self, lock: VarId) -> &[(ThreadId, VarId)] {
        self.holds.get(&lock).map_or(&[], |list| list)
    }

    /// The variables that waiting depends on, ascending.
    pub fn vars(&self) -> &[VarId] {
        &self.vars
    }

    /// The locations of a thread at which it can be seen that it has become more hopeless for others
    /// to wait: behind a signal, and behind the last place from which one can be reached.
    pub fn locs(&self, program: &Program, t: ThreadId) -> BTreeSet<LocId> {
        let thread = &program.threads[t];
        let mut locs = BTreeSet::new();
        for edge in thread.edges.iter() {
            let wakes = matches!(edge.sync, Sync::Signal | Sync::Broadcast);
            let (before, after) = (&self.signals[t][edge.from], &self.signals[t][edge.to]);
            let known = edge.to == thread.start || before.is_subset(after);
            if !self.conditions.is_empty() && (wakes || !known) {
                locs.insert(edge.to);
            }
        }
        // Inside of a section nobody looks.
        if locs.iter().any(|&l| thread.locations[l].atomic) {
            let inside = |l: LocId| thread.locations[l].atomic;
            let leaving = thread.edges.iter().filter(|e| inside(e.from) && !inside(e.to));
            locs.extend(leaving.map(|e| e.to));
        }
        locs.retain(|&l| !thread.locations[l].atomic);
        locs
    }

    /// The threads that make up such a local deadlock in the state, ascending; none if there is
    /// none. Of several cycles the one with the first thread.
    ///
    /// # Errors
    /// If the program is wrong.
    pub fn threads(
        &self,
        machine: &Machine<'_>,
        state: &State,
        kind: Local,
    ) -> Result<Vec<ThreadId>, InternalError> {
        let program = machine.program();
        if !state.goes_on(program) {
            return Ok(vec![]);
        }
        match kind {
            Local::Cycle => self.cycle(machine, state),
            Local::Hang(condition) => self.hang(machine, state, condition),
        }
    }

    /// A shortest cycle of those through the first thread that is on one.
    fn cycle(&self, machine: &Machine<'_>, state: &State) -> Result<Vec<ThreadId>, InternalError> {
        let ids = || machine.program().threads.ids();
        let mut next: IndexVec<ThreadId, BTreeSet<ThreadId>> = IndexVec::new();
        for t in ids() {
            next.push(self.waits_for(machine, state, t)?);
        }
        for t in ids() {
            let mut before: BTreeMap<ThreadId, ThreadId> = BTreeMap::new();
            let mut queue = VecDeque::from([t]);
            while let Some(u) = queue.pop_front() {
                for &v in &next[u] {
                    before.entry(v).or_insert_with(|| {
                        queue.push_back(v);
                        u
                    });
                }
            }
            let (mut members, mut at) = (BTreeSet::new(), before.get(&t));
            while let Some(&u) = at.filter(|u| members.insert(**u)) {
                at = before.get(&u);
            }
            if members.contains(&t) {
                return Ok(members.into_iter().collect());
            }
        }
        Ok(vec![])
    }

    fn hang(
        &self,
        machine: &Machine<'_>,
        state: &State,
        condition: VarId,
    ) -> Result<Vec<ThreadId>, InternalError> {
        let program = machine.program();
        let mut result = vec![];
        for (t, thread) in program.threads.iter_enumerated() {
            let loc = state.loc(t);
            let inside = state.value(condition) >> t.index() & 1 == 1;
            let unborn =
                t.index() != 0 && loc == thread.start && state.value(thread.status) == Status::FREE;
            if inside && is_waiting(machine, state, t)? {
                result.push(t);
            } else if !unborn && self.may_signal(t, loc, condition) {
                return Ok(vec![]);
            }
        }
        Ok(result)
    }

    /// For whom the thread waits.
    ///
    /// # Errors
    /// If the program is wrong.
    fn waits_for(
        &self,
        machine: &Machine<'_>,
        state: &State,
        t: ThreadId,
    ) -> Result<BTreeSet<ThreadId>, InternalError> {
        let program = machine.program();
        let thread = &program.threads[t];
        let loc = state.loc(t);
        let mut others = BTreeSet::new();
        if !is_waiting(machine, state, t)? {
            return Ok(others);
        }
        if self.is_relocked(t, loc) {
            others.insert(t);
        }
        let mut given = state.clone();
        let mut would = |v: VarId, value: u128| -> Result<Sync, InternalError> {
            let now = given.value(v);
            given.set_value(v, value);
            let edge = machine.guarded(&given, t)?;
            given.set_value(v, now);
            Ok(edge.map_or(Sync::None, |e| thread.edges[e].sync))
        };
        for (v, var) in program.vars.iter_enumerated() {
            let value = state.value(v);
            let holders: Vec<ThreadId> = match var.role {
                Role::MutexOwner if (1..=program.threads.len() as u128).contains(&value) => {
                    vec![ThreadId::new(value as usize - 1)]
                }
                Role::Readers if value != 0 => {
                    let held = self.readers(v).iter().filter(|(_, held)| state.value(*held) != 0);
                    held.map(|(u, _)| *u).collect()
                }
                _ => continue,
            };
            if matches!(would(v, 0)?, Sync::Lock | Sync::ReadLock) {
                others.extend(holders);
            }
        }
        for (_, edge) in thread.edges_from(loc) {
            if let Sync::Join(u) = edge.sync
                && would(program.threads[u].status, Status::ENDED)? == Sync::Join(u)
            {
                others.insert(u);
            }
        }
        Ok(others)
    }

    /// What the edges that leave places of waiting depend on, and who has been created.
    fn depends(&self, program: &Program) -> Vec<VarId> {
        let mut vars: BTreeSet<VarId> = self.conditions.iter().copied().collect();
        vars.extend(self.holds.values().flatten().map(|&(_, held)| held));
        for (t, thread) in program.threads.iter_enumerated() {
            if !self.signals[t][thread.start].is_empty() {
                vars.insert(thread.status);
            }
            let waits: BTreeSet<LocId> =
                thread.edges.iter().filter(|e| is_taking(e)).map(|e| e.from).collect();
            for edge in thread.edges.iter().filter(|e| waits.contains(&e.from)) {
                read(program, edge, edge.guard, &mut vars);
            }
        }
        vars.into_iter().collect()
    }
}

/// Whether the edge takes what another thread may have.
pub fn is_taking(edge: &Edge) -> bool {
    matches!(edge.sync, Sync::Lock | Sync::ReadLock | Sync::Join(_))
}

fn is_waiting(machine: &Machine<'_>, state: &State, t: ThreadId) -> Result<bool, InternalError> {
    let location = &machine.program().threads[t].locations[state.loc(t)];
    let may_wait = location.kind == LocKind::Running && location.blocking;
    Ok(may_wait && machine.guarded(state, t)?.is_none())
}

/// The variables that an expression of the edge reads.
fn read(program: &Program, edge: &Edge, e: ProgExpr, vars: &mut BTreeSet<VarId>) {
    program.pool.for_each_leaf(e, |leaf, _| match leaf {
        Leaf::Var(v) => {
            vars.insert(v);
        }
        Leaf::Loaded(d) | Leaf::Valid(d) => {
            read(program, edge, edge.derefs[d].addr, vars);
            for (_, v, alive) in whole(program, edge, d) {
                vars.insert(v);
                vars.extend(alive);
            }
        }
        Leaf::Address(_) | Leaf::Input(_) => {}
    });
}

/// The sets of waiting threads that the edge writes, or may write.
fn waiters(program: &Program, edge: &Edge) -> Vec<VarId> {
    let targets = edge.assigns.iter().flat_map(|a| match a.target {
        Target::Var(v) => vec![v],
        Target::Deref(d) => whole(program, edge, d).map(|w| w.1).collect(),
    });
    targets.filter(|&v| program.vars[v].role == Role::Waiters).collect()
}

/// From where each condition variable may be signalled. An instance that has ended and is created
/// anew is another thread.
fn signals(
    program: &Program,
    conditions: &[VarId],
) -> IndexVec<ThreadId, IndexVec<LocId, BTreeSet<VarId>>> {
    let empty =
        program.threads.iter().map(|t| IndexVec::filled(BTreeSet::new(), t.locations.len()));
    let mut result: IndexVec<ThreadId, IndexVec<LocId, BTreeSet<VarId>>> = empty.collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (t, thread) in program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                let mut more = BTreeSet::new();
                match edge.sync {
                    Sync::Signal | Sync::Broadcast => more.extend(waiters(program, edge)),
                    Sync::Create(u) => more.extend(&result[u][program.threads[u].start]),
                    _ => {}
                }
                more.retain(|v| conditions.contains(v));
                if t.index() == 0 || edge.to != thread.start {
                    more.extend(&result[t][edge.to]);
                }
                let known = &mut result[t][edge.from];
                let count = known.len();
                known.append(&mut more);
                changed |= known.len() > count;
            }
        }
    }
    result
}
