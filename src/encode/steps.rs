//! The step relation of each thread, built in one pass over its locations.
//!
//! Every location gets a condition (this step passes here) and the values of the variables that
//! the step has changed so far; where paths meet, values are merged by `ite`. The sum of all
//! these is linear in the thread's edges. What happens before a thread stops is kept, so an
//! `assume` or a failing site needs no scheduling point of its own.

mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Facts, LocalSet, Transactions};
use crate::base::{Budget, HashMap, HashSet, Id, IndexVec, Stop};
use crate::program::contention::{Bytes, DataAccess, DataPlace, Item};
use crate::program::{
    AccessKind, DerefId, InputId, Leaf, Lifetime, LocId, LocKind, Place, ProgExpr, ProgPool,
    Program, Scope, SiteId, Target, ThreadId, VarId,
};
use crate::ts::{self, StateId, TransitionSystem, TsExpr};

use super::commute::sum_up;
use super::footprint::Footprint;
use super::memory;
use super::points::Points;
use super::state::{StateMap, Stored};
use values::EdgeValues;

/// What one thread does in one step, whoever decides that it moves.
#[derive(Clone, Debug)]
pub struct ThreadStep {
    /// The program counter; none if the thread has only one scheduling point.
    pub pc: Option<StateId>,
    /// Whether the thread can move, other threads' atomic sections apart.
    pub enabled: TsExpr,
    /// Whether the thread is inside an atomic section, so that no other may move.
    pub in_atomic: TsExpr,
    /// Whether the step ends inside an atomic section (if the thread moves).
    pub closes: TsExpr,
    /// The program counter after the step.
    pub next_pc: Option<TsExpr>,
    /// The states that the step may change, and their values after it.
    pub updates: Vec<(StateId, TsExpr)>,
    /// The sites that the step may violate, and when it does (if the thread moves).
    pub sites: Vec<(SiteId, TsExpr)>,
    /// The accesses to raced items that the step begins with, or makes inside of an atomic section,
    /// and when it does.
    pub touches: Vec<StepTouch>,
    /// The circuit input that stands for each choice of the program.
    pub choices: Vec<(InputId, ts::InputId)>,
    /// What the step reads and writes; empty unless [`EncodeOptions`] ask for it.
    pub footprint: Footprint,
}

/// How steps are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodeOptions<'a> {
    /// A step is a whole transaction.
    pub transactions: Option<&'a Transactions>,
    /// Several threads may move in one frame: each has its own inputs and a footprint.
    pub parallel: bool,
    /// Each thread has a footprint.
    pub footprints: bool,
}

/// An access to a raced item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTouch {
    /// What is accessed.
    pub bytes: Bytes,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether the thread is about to do it.
    pub when: TsExpr,
    /// Where the thread does it, if that is inside of an atomic section that the step has to enter
    /// first, or farther inside.
    pub inside: Option<LocId>,
}

/// A program's step relations. The transition system has all states and inputs, but no next
/// states and no properties yet.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The system under construction.
    pub ts: TransitionSystem,
    /// The states of variables.
    pub states: StateMap,
    /// The scheduling points of each thread.
    pub points: IndexVec<ThreadId, Points>,
    /// The step of each thread.
    pub threads: IndexVec<ThreadId, ThreadStep>,
    /// The name of each thread.
    pub names: IndexVec<ThreadId, String>,
}

/// Encodes the program's threads. Unless several may move in one frame, choices of different
/// threads share circuit inputs.
///
/// # Errors
/// The reason, if the budget ends first.
pub fn encode(
    program: &Program,
    facts: &Facts,
    observed: &IndexVec<ThreadId, HashSet<LocId>>,
    options: EncodeOptions<'_>,
    budget: &Budget,
) -> Result<Encoding, Stop> {
    let ids = || program.threads.ids();
    let points: IndexVec<ThreadId, Points> =
        ids().map(|t| Points::new(program, facts, t, &observed[t], options.transactions)).collect();
    let mut ts = TransitionSystem::new();
    let pcs: Vec<Option<StateId>> = ids()
        .map(|t| {
            let width = points[t].width();
            let name = format!("{}.pc", program.threads[t].name);
            (width > 0).then(|| ts.add_state(name, width, Some(0)).0)
        })
        .collect();
    let states = StateMap::new(program, facts, &points, &mut ts);
    let mut choices = Choices::default();
    let mut threads = IndexVec::new();
    for t in ids() {
        if let Some(stop) = budget.check() {
            return Err(stop);
        }
        choices.begin_thread(options.parallel.then(|| program.threads[t].name.as_str()));
        let mut builder = Builder {
            program,
            facts,
            thread: t,
            points: &points[t],
            pc: pcs[t.index()],
            states: &states,
            ts: &mut ts,
            choices: &mut choices,
            step_choices: vec![],
            footprint: (options.parallel || options.footprints).then(Footprint::default),
        };
        let mut step = builder.build();
        if options.parallel {
            sum_up(&mut ts, &states, &points[t], &mut step);
        }
        threads.push(step);
    }
    let names = program.threads.iter().map(|t| t.name.clone()).collect();
    Ok(Encoding { ts, states, points, threads, names })
}

/// Circuit inputs for the choices of programs: those of one width are numbered anew in each
/// thread.
#[derive(Default)]
struct Choices {
    pool: BTreeMap<u32, Vec<(ts::InputId, TsExpr)>>,
    used: BTreeMap<u32, usize>,
    /// Before the names: the thread, if each has inputs of its own.
    prefix: String,
}

impl Choices {
    /// The inputs are those of a thread, or shared by all.
    fn begin_thread(&mut self, own: Option<&str>) {
        self.used.clear();
        if let Some(name) = own {
            self.pool.clear();
            self.prefix = format!("{name}.");
        }
    }

    fn take(&mut self, ts: &mut TransitionSystem, width: u32) -> (ts::InputId, TsExpr) {
        let used = self.used.entry(width).or_default();
        let pool = self.pool.entry(width).or_default();
        if *used == pool.len() {
            let name = format!("{}choice{width}.{used}", self.prefix);
            pool.push(ts.add_input(name, width));
        }
        *used += 1;
        pool[*used - 1]
    }
}

/// The values that a step has changed so far.
type Env = BTreeMap<VarId, TsExpr>;

/// A way into a location: when, and with which values.
struct Arrival {
    condition: TsExpr,
    env: Env,
    /// Local variables that were live at the points where the step may have begun; all others
    /// still have their initial value in their states.
    live_before: LocalSet,
}

struct Builder<'a> {
    program: &'a Program,
    facts: &'a Facts,
    thread: ThreadId,
    points: &'a Points,
    pc: Option<StateId>,
    states: &'a StateMap,
    ts: &'a mut TransitionSystem,
    choices: &'a mut Choices,
    step_choices: Vec<(InputId, ts::InputId)>,
    /// None if nobody wants it.
    footprint: Option<Footprint>,
}

impl Builder<'_> {
    fn build(&mut self) -> ThreadStep {
        let t = &self.program.threads[self.thread];
        let mut arrivals = IndexVec::<LocId, Vec<Arrival>>::default();
        t.locations.ids().for_each(|_| {
            arrivals.push(vec![]);
        });
        let mut ends: Vec<(LocId, Arrival)> = vec![];
        let mut sites: BTreeMap<SiteId, Vec<TsExpr>> = BTreeMap::new();
        let mut touches = vec![];
        let mut enabled = self.ts.pool.bool(false);
        let mut blocked = self.ts.pool.bool(false);
        let mut in_atomic = self.ts.pool.bool(false);
        for &loc in self.points.order() {
            let Arrival { condition: here, env, live_before } = match self.points.index(loc) {
                Some(k) => Arrival {
                    condition: self.at_point(k),
                    env: Env::new(),
                    live_before: self.facts.live[self.thread].set_at(loc).clone(),
                },
                None => {
                    let list = std::mem::take(&mut arrivals[loc]);
                    self.merge(loc, list)
                }
            };
            let location = &t.locations[loc];
            if self.points.index(loc).is_some() && location.atomic {
                in_atomic = self.ts.pool.or(in_atomic, here);
            }
            if location.kind != LocKind::Running {
                continue;
            }
            let mut some_guard = self.ts.pool.bool(false);
            for &e in self.points.outgoing(loc) {
                let edge = &t.edges[e];
                let mut values = EdgeValues::new(edge, e, &env);
                let guard = self.guard(&mut values);
                some_guard = self.ts.pool.or(some_guard, guard);
                let condition = self.ts.pool.and(here, guard);
                self.note_accesses(&mut values, here, condition);
                if self.ts.pool.is_false(condition) {
                    continue;
                }
                let is_point = self.points.index(loc).is_some();
                if is_point || location.atomic {
                    let inside = (!is_point).then_some(loc);
                    self.touches(&mut values, condition, inside, &mut touches);
                }
                if let Some(site) = edge.site {
                    sites.entry(site).or_default().push(condition);
                }
                let env = self.after(&mut values, &env);
                let arrival = Arrival { condition, env, live_before: live_before.clone() };
                match self.points.index(edge.to) {
                    Some(_) => ends.push((edge.to, arrival)),
                    None => arrivals[edge.to].push(arrival),
                }
            }
            if self.points.index(loc).is_some() {
                let moves = match location.blocking {
                    true => self.ts.pool.and(here, some_guard),
                    false => here,
                };
                enabled = self.ts.pool.or(enabled, moves);
            } else if location.blocking {
                let none = self.ts.pool.not(some_guard);
                let stuck = self.ts.pool.and(here, none);
                blocked = self.ts.pool.or(blocked, stuck);
            }
        }
        let free = self.ts.pool.not(blocked);
        let enabled = self.ts.pool.and(enabled, free);
        let closes = self.ends_in_atomic(&ends);
        let sites = sites
            .into_iter()
            .map(|(site, list)| {
                let none = self.ts.pool.bool(false);
                (site, list.into_iter().fold(none, |a, b| self.ts.pool.or(a, b)))
            })
            .collect();
        let next_pc = self.next_pc(&ends);
        let updates = self.updates(&ends);
        let choices = std::mem::take(&mut self.step_choices);
        let footprint = self.footprint.take().unwrap_or_default();
        let pc = self.pc;
        ThreadStep {
            pc,
            enabled,
            in_atomic,
            closes,
            next_pc,
            updates,
            sites,
            touches,
            choices,
            footprint,
        }
    }

    fn ends_in_atomic(&mut self, ends: &[(LocId, Arrival)]) -> TsExpr {
        let locations = &self.program.threads[self.thread].locations;
        let mut result = self.ts.pool.bool(false);
        for (_, arrival) in ends.iter().filter(|(loc, _)| locations[*loc].atomic) {
            result = self.ts.pool.or(result, arrival.condition);
        }
        result
    }

    /// Adds an edge's accesses to the footprint: those of the guard where the step gets to the
    /// edge's location, the others where it takes the edge.
    fn note_accesses(&mut self, values: &mut EdgeValues, here: TsExpr, condition: TsExpr) {
        if self.footprint.is_none() {
            return;
        }
        let edge = values.edge;
        let (pool, guard) = (self.facts.guard_pool(), self.facts.guard(self.thread, values.id));
        self.note_reads(values, pool, guard, AccessKind::Guard, here);
        let pool = &self.program.pool;
        for (k, assign) in edge.assigns.iter().enumerate() {
            if !self.facts.keeps(self.program, self.thread, values.id, k) {
                continue;
            }
            self.note_reads(values, pool, assign.value, AccessKind::Value, condition);
            match assign.target {
                Target::Var(v) => self.note(v, AccessKind::Write, condition),
                Target::Deref(d) => {
                    self.note_deref(values, d, AccessKind::Value, condition, false);
                    self.note_deref(values, d, AccessKind::Write, condition, true);
                }
            }
        }
    }

    fn note(&mut self, var: VarId, kind: AccessKind, condition: TsExpr) {
        if let Some(footprint) = &mut self.footprint {
            footprint.add(self.ts, self.facts, var, kind, condition);
        }
    }

    fn note_reads(
        &mut self,
        values: &mut EdgeValues,
        pool: &ProgPool,
        root: ProgExpr,
        kind: AccessKind,
        condition: TsExpr,
    ) {
        let mut leaves = vec![];
        pool.for_each_leaf(root, |leaf, _| leaves.push(leaf));
        for leaf in leaves {
            match leaf {
                Leaf::Var(v) => self.note(v, kind, condition),
                Leaf::Loaded(d) => self.note_deref(values, d, kind, condition, true),
                Leaf::Valid(d) => self.note_deref(values, d, kind, condition, false),
                Leaf::Address(_) | Leaf::Input(_) => {}
            }
        }
    }

    /// A dereference reads what its address and validity depend on, or (`data`) accesses the
    /// bytes, too.
    fn note_deref(
        &mut self,
        values: &mut EdgeValues,
        d: DerefId,
        kind: AccessKind,
        condition: TsExpr,
        data: bool,
    ) {
        let deref = &values.edge.derefs[d];
        if kind != AccessKind::Write {
            self.note_reads(values, &self.program.pool, deref.addr, kind, condition);
            for place in self.facts.places(self.thread, values.id, d) {
                if let Lifetime::While(alive) = self.program.objects[place.object].lifetime {
                    self.note(alive, kind, condition);
                }
            }
        }
        if data {
            for case in self.cases(values, d) {
                let hit = self.ts.pool.and(condition, case.hit);
                for v in case.place.overlap(self.program, u64::from(deref.bytes)) {
                    self.note(v, kind, hit);
                }
            }
        }
    }

    /// Whether the program counter is at the point with this index.
    fn at_point(&mut self, index: u32) -> TsExpr {
        match self.pc {
            None => self.ts.pool.bool(true),
            Some(pc) => {
                let leaf = self.ts.states[pc].expr;
                let value = self.ts.pool.constant(u128::from(index), self.points.width());
                self.ts.pool.eq(leaf, value)
            }
        }
    }

    fn next_pc(&mut self, ends: &[(LocId, Arrival)]) -> Option<TsExpr> {
        let pc = self.pc?;
        let mut targets: BTreeMap<u32, TsExpr> = BTreeMap::new();
        for (loc, arrival) in ends {
            let index = self.points.index(*loc).expect("steps end at points");
            let none = self.ts.pool.bool(false);
            let condition = targets.entry(index).or_insert(none);
            *condition = self.ts.pool.or(*condition, arrival.condition);
        }
        let mut next = self.ts.states[pc].expr;
        for (index, condition) in targets {
            let value = self.ts.pool.constant(u128::from(index), self.points.width());
            next = self.ts.pool.ite(condition, value, next);
        }
        Some(next)
    }

    /// The states that change: values where a step writes them, the initial value where a local
    /// variable dies. Ends exclude each other, so their order does not matter.
    fn updates(&mut self, ends: &[(LocId, Arrival)]) -> Vec<(StateId, TsExpr)> {
        let live = &self.facts.live[self.thread];
        let mut writes: BTreeMap<VarId, Vec<(TsExpr, TsExpr)>> = BTreeMap::new();
        for (loc, arrival) in ends {
            for (&v, &value) in &arrival.env {
                let is_local = matches!(self.program.vars[v].scope, Scope::Local(_));
                if let Stored::State { bits, .. } = self.states.stored(v)
                    && (!is_local || live.is_live(*loc, v))
                {
                    let value = self.ts.pool.extract(value, 0, bits);
                    writes.entry(v).or_default().push((arrival.condition, value));
                }
            }
            for v in live.dead_at(*loc, &arrival.live_before) {
                if let Stored::State { bits, .. } = self.states.stored(v) {
                    let reset = self.ts.pool.constant(self.program.vars[v].init, bits);
                    writes.entry(v).or_default().push((arrival.condition, reset));
                }
            }
        }
        let mut result = vec![];
        for (v, list) in writes {
            let Stored::State { state, .. } = self.states.stored(v) else { continue };
            let old = self.ts.states[state].expr;
            let changes: Vec<_> = list.into_iter().filter(|&(_, value)| value != old).collect();
            if !changes.is_empty() {
                result.push((state, self.select(&changes, Some(old))));
            }
        }
        result
    }

    /// The value whose condition holds; conditions exclude each other. If none holds the result
    /// is `default`, or where that is not given, any of the values.
    fn select(&mut self, cases: &[(TsExpr, TsExpr)], default: Option<TsExpr>) -> TsExpr {
        let mut groups: Vec<(TsExpr, TsExpr)> = vec![];
        let mut position: HashMap<TsExpr, usize> = HashMap::default();
        for &(condition, value) in cases {
            match position.get(&value) {
                Some(&k) => groups[k].0 = self.ts.pool.or(groups[k].0, condition),
                None => {
                    position.insert(value, groups.len());
                    groups.push((condition, value));
                }
            }
        }
        let mut result = default;
        for (condition, value) in groups.into_iter().rev() {
            result = Some(match result {
                None => value,
                Some(rest) => self.ts.pool.ite(condition, value, rest),
            });
        }
        result.expect("a value or a default")
    }

    /// The condition and values where several ways into a location meet.
    fn merge(&mut self, loc: LocId, list: Vec<Arrival>) -> Arrival {
        let live = &self.facts.live[self.thread];
        let mut keys: BTreeSet<VarId> = BTreeSet::new();
        list.iter().for_each(|a| keys.extend(a.env.keys()));
        let mut env = Env::new();
        for v in keys {
            if matches!(self.program.vars[v].scope, Scope::Local(_)) && !live.is_live(loc, v) {
                continue;
            }
            let mut cases = vec![];
            for arrival in &list {
                let value = match arrival.env.get(&v) {
                    Some(&value) => value,
                    None => self.states.current(self.program, self.ts, v),
                };
                cases.push((arrival.condition, value));
            }
            env.insert(v, self.select(&cases, None));
        }
        let mut condition = self.ts.pool.bool(false);
        let mut live_before = LocalSet::default();
        for arrival in &list {
            condition = self.ts.pool.or(condition, arrival.condition);
            live_before.union(&arrival.live_before);
        }
        Arrival { condition, env, live_before }
    }

    /// Appends the edge's accesses to raced items, if it is taken when `condition` holds.
    fn touches(
        &mut self,
        values: &mut EdgeValues,
        condition: TsExpr,
        inside: Option<LocId>,
        list: &mut Vec<StepTouch>,
    ) {
        let accesses = self.facts.raced_accesses(self.program, self.thread, values.id);
        for DataAccess { place, write, atomic } in accesses {
            match place {
                DataPlace::Whole(o) => {
                    let bytes = Bytes::of_object(self.program, o);
                    list.push(StepTouch { bytes, write, atomic, when: condition, inside });
                }
                DataPlace::Some(Place::Var(v)) => {
                    let bytes = Bytes::of_var(self.program, v).expect("it is data");
                    list.push(StepTouch { bytes, write, atomic, when: condition, inside });
                }
                DataPlace::Some(Place::Deref(d)) => {
                    let len = u64::from(values.edge.derefs[d].bytes);
                    for case in self.cases(values, d) {
                        let item = Item::Object(case.place.object);
                        if !self.facts.is_raced(item) {
                            continue;
                        }
                        let bytes = Bytes { item, offset: case.place.offset, len };
                        let when = self.ts.pool.and(condition, case.hit);
                        list.push(StepTouch { bytes, write, atomic, when, inside });
                    }
                }
            }
        }
    }

    /// The environment after the edge.
    fn after(&mut self, values: &mut EdgeValues, before: &Env) -> Env {
        let edge = values.edge;
        let mut env = before.clone();
        for (k, assign) in edge.assigns.iter().enumerate() {
            if !self.facts.keeps(self.program, self.thread, values.id, k) {
                continue;
            }
            let value = self.expr(values, assign.value);
            match assign.target {
                Target::Var(v) => {
                    env.insert(v, value);
                }
                Target::Deref(d) => self.store(values, d, value, before, &mut env),
            }
        }
        env
    }

    fn store(
        &mut self,
        values: &mut EdgeValues,
        d: DerefId,
        data: TsExpr,
        before: &Env,
        env: &mut Env,
    ) {
        for case in self.cases(values, d) {
            let (program, states) = (self.program, self.states);
            let mut current = |ts: &mut TransitionSystem, v: VarId| {
                before.get(&v).copied().unwrap_or_else(|| states.current(program, ts, v))
            };
            let writes = memory::store(program, self.ts, case.place, data, &mut current);
            for (v, new) in writes {
                if !self.facts.slice.has(v) {
                    continue;
                }
                let old = match env.get(&v) {
                    Some(&old) => old,
                    None => states.current(program, self.ts, v),
                };
                let value = self.ts.pool.ite(case.hit, new, old);
                env.insert(v, value);
            }
        }
    }
}
