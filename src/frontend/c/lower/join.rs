//! Joining threads.
//!
//! What has been joined cannot be joined again. A flag of each thread says so, but only where a
//! thread may be joined twice: mostly, its id is in a variable that nothing but creating threads
//! writes, and few joins read that one.

use super::super::hir::{Expr, ExprKind};
use super::block::Final;
use super::place::Place;
use super::state::{Instance, Join, Kind, Lower, Name, R, below_casts};
use crate::base::{HashMap, HashSet, Id};
use crate::program::{
    Assign, Leaf, ObjId, ProgExpr, Role, SiteKind, Status, Sync, Target, ThreadId, Undefined, VarId,
};

/// What a join returns where it does not join.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// The error while the thread has not ended, if the join does not wait.
    pub busy: Option<u128>,
    /// The error where a thread joins itself.
    pub own: u128,
}

/// Where the id of a thread comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// It is this number.
    Constant(u128),
    /// It is what this variable holds.
    Variable(VarId),
    /// Anywhere.
    Unknown,
}

/// What is known about ids when all threads have been built.
pub struct ThreadIds {
    /// The variables that nothing but the creation of threads writes.
    proper: HashSet<VarId>,
}

/// What is written, by edges.
#[derive(Default)]
struct Writes {
    /// How often a variable is given what is neither a constant nor a choice.
    vars: HashMap<VarId, usize>,
    /// Objects that are written at addresses, or whose address is a value.
    objects: HashSet<ObjId>,
}

impl Lower<'_> {
    /// Joins a thread; gives 0 or an error.
    pub fn join(&mut self, e: &Expr, id: &Expr, result: &Expr, codes: Codes) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let place = self.out_place(result)?;
        let number = self.rvalue(id)?;
        let number = self.resize(number, self.pointer_bits(), false);
        self.flush()?;
        let source = self.id_source(id, number)?;
        let Some(from) = self.cur else { return Ok(zero) };
        self.id_uses.push((source, self.repetitions()));
        let from = self.graph.find(from);
        let to = self.new_loc();
        let value = self.temp(self.pointer_bits());
        let busy = codes.busy;
        // What the variables hold is known later.
        let own = match source {
            IdSource::Variable(_) => self.may_have_own_id(self.thread, IdSource::Unknown),
            other => self.may_have_own_id(self.thread, other),
        };
        let code = (busy.is_some() || own).then(|| self.temp(32));
        let site = self.undefined_site(Undefined::InvalidThread, e.loc);
        let blocked = match (busy, self.depth) {
            (Some(_), _) | (_, 0) => None,
            _ => Some(self.site_here(SiteKind::AtomicBlocked)),
        };
        self.graph.nodes[from].blocking = blocked.is_none() && busy.is_none();
        self.graph.nodes[from].span.get_or_insert(self.context.span);
        self.graph.nodes[to].depth = Some(self.depth);
        if self.depth > 0 {
            self.stopped();
        }
        let context = self.context.clone();
        let thread = self.thread;
        let id = number;
        self.joins.push(Join {
            thread,
            from,
            to,
            id,
            result: value,
            source,
            code,
            codes,
            context,
            site,
            blocked,
        });
        self.set_cur(to);
        let Some(code) = code else {
            self.store_result(place, value, result)?;
            return Ok(zero);
        };
        if place.is_none() {
            return Ok(self.var(code));
        }
        let (joined, end) = (self.new_loc(), self.new_loc());
        let got = self.var(code);
        let success = self.eq_const(got, 0);
        self.branch(success, joined, end)?;
        self.set_cur(joined);
        self.store_result(place, value, result)?;
        self.jump(end)?;
        self.set_cur(end);
        Ok(self.var(code))
    }

    /// Stores the result of a joined thread where it is wanted.
    fn store_result(&mut self, place: Option<Place>, value: VarId, result: &Expr) -> R<()> {
        let Some(place) = place else { return Ok(()) };
        // The result of a C11 thread is an int.
        let bits = match self.hir.types.pointee(result.ty.id) {
            Some(to) if self.hir.types.is_integer(to.id) => self.width(to.id),
            _ => self.pointer_bits(),
        };
        if let Place::Memory(m) = &place {
            // A pointer that may be NULL: then the result is not wanted.
            let null = self.eq_const(m.addr, 0);
            let (skip, store) = (self.new_loc(), self.new_loc());
            self.branch(null, skip, store)?;
            self.set_cur(store);
            let v = self.var(value);
            let v = self.resize(v, bits, false);
            self.store(&place, v, result.loc)?;
            self.jump(skip)?;
            self.set_cur(skip);
            return Ok(());
        }
        let v = self.var(value);
        let v = self.resize(v, bits, false);
        self.store(&place, v, result.loc)
    }

    /// Adds the edges of a join, now that all instances are known.
    pub fn join_edges(&mut self, j: &Join, ids: &ThreadIds) -> R<()> {
        self.context = j.context.clone();
        let mut none = self.prog.pool.bool(true);
        let mut ready = self.prog.pool.bool(false);
        for k in 0..self.instances.len() {
            let (status, result, pool) = {
                let i = &self.instances[k];
                (i.status, i.result, i.pool)
            };
            let is = self.eq_const(j.id, k as u128 + 1);
            if self.prog.pool.is_false(is) {
                continue;
            }
            let joinable = self.joinable(k);
            let valid = self.and(is, joinable);
            let guard = if k == j.thread.index() && j.codes.busy != Some(j.codes.own) {
                self.own_join_edge(j, ids, valid)?
            } else {
                let value = self.var(status);
                let ended = self.eq_const(value, Status::ENDED);
                let mut guard = self.and(is, ended);
                if let Some(joined) = self.instances[k].joined {
                    let joined = self.var(joined);
                    let not = self.not(joined);
                    guard = self.and(guard, not);
                }
                let mut edge = self.plain_edge(j.from, j.to, guard);
                if pool.is_some_and(|p| self.pools[p].reusable) {
                    let value = self.constant(Status::FREE, 2);
                    edge.assigns.push(Assign { target: Target::Var(status), value });
                }
                if let Some(joined) = self.instances[k].joined {
                    let value = self.constant(1, 1);
                    edge.assigns.push(Assign { target: Target::Var(joined), value });
                }
                let found = self.var(result);
                edge.assigns.push(Assign { target: Target::Var(j.result), value: found });
                if let Some(code) = j.code {
                    let zero = self.constant(0, 32);
                    edge.assigns.push(Assign { target: Target::Var(code), value: zero });
                }
                edge.sync = Sync::Join(ThreadId::new(k));
                edge.atomic_access = true;
                self.push_edge(edge)?;
                guard
            };
            let invalid = self.not(valid);
            none = self.and(none, invalid);
            ready = self.prog.pool.or(ready, guard);
        }
        let waiting = {
            let (a, b) = (self.not(none), self.not(ready));
            self.and(a, b)
        };
        if let (Some(code), Some(error)) = (j.code, j.codes.busy) {
            let mut edge = self.plain_edge(j.from, j.to, waiting);
            let value = self.constant(error, 32);
            edge.assigns.push(Assign { target: Target::Var(code), value });
            edge.atomic_access = true;
            self.push_edge(edge)?;
        }
        let sites = [(j.site, none), (j.blocked, waiting)];
        for (site, guard) in sites {
            let Some(site) = site else { continue };
            if self.prog.pool.is_false(guard) {
                continue;
            }
            let stop = self.final_loc(Final::Stopped(j.blocked.is_some()));
            let mut edge = self.plain_edge(j.from, stop, guard);
            edge.site = Some(site);
            edge.atomic_access = true;
            self.push_edge(edge)?;
        }
        Ok(())
    }

    /// When a thread can be joined, or will be able to.
    fn joinable(&mut self, k: usize) -> ProgExpr {
        let value = self.var(self.instances[k].status);
        let mut joinable = self.is_not(value, Status::FREE);
        if self.has_detached() {
            let attached = self.is_not(value, Status::DETACHED);
            joinable = self.and(joinable, attached);
        }
        if let Some(joined) = self.instances[k].joined {
            let joined = self.var(joined);
            let not = self.not(joined);
            joinable = self.and(joinable, not);
        }
        joinable
    }

    /// The edge of a thread that joins itself; gives when it is taken.
    fn own_join_edge(&mut self, j: &Join, ids: &ThreadIds, valid: ProgExpr) -> R<ProgExpr> {
        let never = self.prog.pool.bool(false);
        let Some(code) = j.code else { return Ok(never) };
        let source = ids.known(j.source);
        if !self.may_have_own_id(j.thread, source) {
            return Ok(never);
        }
        // It is running, so that it is free of doubt unless it may be detached.
        let guard = match self.has_detached() {
            true => valid,
            false => self.eq_const(j.id, j.thread.index() as u128 + 1),
        };
        let mut edge = self.plain_edge(j.from, j.to, guard);
        let value = self.constant(j.codes.own, 32);
        edge.assigns.push(Assign { target: Target::Var(code), value });
        edge.atomic_access = true;
        self.push_edge(edge)?;
        Ok(guard)
    }

    /// Whether an id from there may be that of the thread itself.
    fn may_have_own_id(&self, thread: ThreadId, source: IdSource) -> bool {
        let me = &self.instances[thread.index()];
        match source {
            IdSource::Constant(id) => id == thread.index() as u128 + 1,
            IdSource::Variable(v) => me.id == Some(v),
            IdSource::Unknown => self.may_be_known(me),
        }
    }

    /// Whether a program knows an instance's id: its creator does, or it asks for it itself.
    fn may_be_known(&self, instance: &Instance) -> bool {
        instance.kind == Kind::Created && instance.pool.is_some() || self.tells_ids()
    }

    fn tells_ids(&self) -> bool {
        ["pthread_self", "thrd_current"].iter().any(|f| self.hir.uses(f))
    }

    /// Where an id comes from, whose value is `number`.
    pub fn id_source(&mut self, id: &Expr, number: ProgExpr) -> R<IdSource> {
        if let Some(v) = self.prog.pool.as_const(number) {
            return Ok(IdSource::Constant(v));
        }
        let ExprKind::Load(lv) = &below_casts(id).kind else { return Ok(IdSource::Unknown) };
        if self.cur.is_none() || !self.is_fixed(lv)? {
            return Ok(IdSource::Unknown);
        }
        let place = self.place(lv)?;
        Ok(self.place_variable(&place).map_or(IdSource::Unknown, IdSource::Variable))
    }

    /// Whether an lvalue is one variable, known here.
    fn is_fixed(&mut self, lv: &Expr) -> R<bool> {
        match &lv.kind {
            ExprKind::Local(_) | ExprKind::Global(_) => Ok(true),
            ExprKind::Member(base, _) => self.is_fixed(base),
            ExprKind::Index(base, i) if self.is_pure(i) => {
                let i = self.rvalue(i)?;
                Ok(self.prog.pool.as_const(i).is_some() && self.is_fixed(base)?)
            }
            _ => Ok(false),
        }
    }

    fn place_variable(&self, place: &Place) -> Option<VarId> {
        match place {
            Place::Vars(leaves, at) => self.leaf_at(leaves, *at, self.pointer_bits()),
            Place::Object(o, at) => {
                self.leaf_at(&self.prog.objects[*o].leaves, *at, self.pointer_bits())
            }
            _ => None,
        }
    }

    /// Notes that the ids of the instances of the pools from `first` on are stored in this place.
    pub fn note_ids(&mut self, first: usize, place: &Place) {
        let Some(v) = self.place_variable(place) else { return };
        *self.id_stores.entry(v).or_insert(0) += 1;
        for pool in &self.pools[first..] {
            for k in &pool.instances {
                self.instances[k.index()].id = Some(v);
            }
        }
    }

    /// Finds out which variables hold ids, and gives flags to the threads that may be joined
    /// twice.
    pub fn thread_ids(&mut self) -> ThreadIds {
        let writes = self.writes();
        let mut ids = ThreadIds { proper: HashSet::default() };
        for (&v, &stores) in &self.id_stores {
            let object = self.prog.vars[v].object;
            let exposed = object.is_some_and(|o| writes.objects.contains(&o));
            if !exposed && writes.vars.get(&v).is_none_or(|&n| n <= stores) {
                ids.proper.insert(v);
            }
        }
        for k in 0..self.instances.len() {
            let instance = &mut self.instances[k];
            instance.id = instance.id.filter(|v| ids.proper.contains(v));
            let instance = &self.instances[k];
            let reusable = instance.pool.is_some_and(|p| self.pools[p].reusable);
            if !reusable && self.most_joins(k, &ids) > 1 {
                let name = Name { thread: Some(ThreadId::new(k)), rest: "joined".into() };
                self.instances[k].joined = Some(self.new_shared(name, 1, Role::Bookkeeping));
            }
        }
        ids
    }

    /// How often an instance may be joined or detached at most.
    fn most_joins(&self, k: usize, ids: &ThreadIds) -> u64 {
        let instance = &self.instances[k];
        let uses = self.id_uses.iter().filter(|(source, _)| match ids.known(*source) {
            IdSource::Constant(id) => id == k as u128 + 1,
            IdSource::Variable(v) => instance.id == Some(v),
            IdSource::Unknown => self.may_be_known(instance),
        });
        uses.fold(0, |sum: u64, (_, n)| sum.saturating_add(n.unwrap_or(u64::MAX)))
    }

    fn writes(&self) -> Writes {
        let mut writes = Writes::default();
        writes.objects.extend(self.initial_addresses.values());
        for edge in self.built.iter().flat_map(|b| &b.graph.edges) {
            let pool = &self.prog.pool;
            let mut values = vec![edge.guard];
            values.extend(edge.derefs.iter().filter(|d| d.objects.is_none()).map(|d| d.addr));
            for a in &edge.assigns {
                values.push(a.value);
                match a.target {
                    Target::Deref(d) => {
                        writes.objects.extend(edge.derefs[d].objects.iter().flat_map(|l| l.iter()));
                    }
                    Target::Var(v) => {
                        let mut computed = false;
                        pool.for_each_leaf(a.value, |leaf, _| {
                            computed |= !matches!(leaf, Leaf::Input(_));
                        });
                        if computed {
                            *writes.vars.entry(v).or_insert(0) += 1;
                        }
                    }
                }
            }
            for e in values {
                pool.for_each_leaf(e, |leaf, _| {
                    if let Leaf::Address(o) = leaf {
                        writes.objects.insert(o);
                    }
                });
            }
        }
        writes
    }
}

impl ThreadIds {
    /// The source, unknown if it is a variable that anything else writes.
    fn known(&self, source: IdSource) -> IdSource {
        match source {
            IdSource::Variable(v) if !self.proper.contains(&v) => IdSource::Unknown,
            other => other,
        }
    }
}
