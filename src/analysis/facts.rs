//! All facts that the encoding needs, in one place.

use crate::base::{Budget, HashMap, HashSet, IndexVec, Stop};
use crate::expr::Pool;
use crate::program::contention::{DataAccess, Item, data_accesses, items};
use crate::program::{
    AccessKind, DerefId, EdgeId, Leaf, Lifetime, LocId, ObjId, ProgExpr, ProgPool, Program, Scope,
    Target, ThreadId, VarId,
};

use super::liveness::Liveness;
use super::ranges::Ranges;
use super::slice::Slice;

/// Where an access by address can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The object.
    pub object: ObjId,
    /// Offset of the first byte.
    pub offset: u64,
}

impl Place {
    /// The leaf that an access of this many bytes covers exactly, if there is one.
    pub fn exact(&self, program: &Program, bytes: u64) -> Option<VarId> {
        let leaves = &program.objects[self.object].leaves;
        let k = leaves.binary_search_by_key(&self.offset, |l| l.0).ok()?;
        let v = leaves[k].1;
        (u64::from(program.vars[v].width) == 8 * bytes).then_some(v)
    }

    /// The leaves that an access of this many bytes touches, in order.
    pub fn overlap(self, program: &Program, bytes: u64) -> impl Iterator<Item = VarId> + '_ {
        let leaves = &program.objects[self.object].leaves;
        leaves
            .iter()
            .filter(move |&&(at, v)| {
                let size = u64::from(program.vars[v].width) / 8;
                at < self.offset + bytes && self.offset < at + size
            })
            .map(|l| l.1)
    }
}

/// Which threads touch a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody.
    #[default]
    Unused,
    /// Only this thread, or several that only read it.
    Private,
    /// Several threads, and one of them writes it.
    Shared,
}

/// Facts about a program under a slice.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What is relevant.
    pub slice: Slice,
    /// Liveness, for each thread.
    pub live: IndexVec<ThreadId, Liveness>,
    /// Ranges.
    pub ranges: Ranges,
    places: HashMap<(ThreadId, EdgeId, DerefId), Vec<Place>>,
    /// Simplified guards of edges that can be taken.
    guards: HashMap<(ThreadId, EdgeId), ProgExpr>,
    guard_pool: ProgPool,
    sharing: IndexVec<VarId, Sharing>,
    written: IndexVec<VarId, bool>,
    observed: Vec<VarId>,
    raced: HashSet<Item>,
}

impl Facts {
    /// Runs all analyses. `observed` are the variables that a property looks at in every state:
    /// they are relevant and shared. `raced` are the items to which accesses are visible, even
    /// where their values are not relevant.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        observed: &[VarId],
        raced: &[Item],
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let slice = Slice::new(program, observed, raced);
        let all = Slice::all(program);
        let ids = || program.threads.ids();
        let unsliced = ids().map(|t| Liveness::new(program, t, &all, observed)).collect();
        let ranges = Ranges::new(program, &unsliced, budget)?;
        let live = ids().map(|t| Liveness::new(program, t, &slice, observed)).collect();
        let mut places = HashMap::default();
        for (t, thread) in program.threads.iter_enumerated() {
            for (e, edge) in thread.edges.iter_enumerated() {
                for d in edge.derefs.ids() {
                    if ranges.is_taken(t, e) {
                        places.insert((t, e, d), ranges.places(program, t, e, d));
                    }
                }
            }
        }
        let (guard_pool, guards) = simplified_guards(program, &ranges);
        let count = program.vars.len();
        let mut this = Self {
            slice,
            live,
            ranges,
            places,
            guards,
            guard_pool,
            sharing: IndexVec::filled(Sharing::Unused, count),
            written: IndexVec::filled(false, count),
            observed: observed.to_vec(),
            raced: raced.iter().copied().collect(),
        };
        this.find_sharing(program, observed);
        Ok(this)
    }

    /// Whether the edge's assignment at this position writes something relevant.
    pub fn keeps(&self, program: &Program, thread: ThreadId, edge: EdgeId, assign: usize) -> bool {
        let edge = &program.threads[thread].edges[edge];
        self.slice.keeps(program, &self.live[thread], edge, assign)
    }

    /// Where a dereference can be; nowhere if the edge cannot be taken.
    pub fn places(&self, thread: ThreadId, edge: EdgeId, deref: DerefId) -> &[Place] {
        self.places.get(&(thread, edge, deref)).map_or(&[], Vec::as_slice)
    }

    /// Who touches the variable.
    pub fn sharing(&self, var: VarId) -> Sharing {
        self.sharing[var]
    }

    /// Whether a property looks at the variable in every state.
    pub fn is_observed(&self, var: VarId) -> bool {
        self.observed.contains(&var)
    }

    /// Whether an edge that can be taken writes the variable. If not, it keeps its initial value.
    pub fn is_written(&self, var: VarId) -> bool {
        self.written[var]
    }

    /// The guard of an edge that can be taken, with everything in it that is known at its location
    /// put in, as an expression of [`Facts::guard_pool`].
    ///
    /// # Panics
    /// If the edge cannot be taken.
    pub fn guard(&self, thread: ThreadId, edge: EdgeId) -> ProgExpr {
        self.guards[&(thread, edge)]
    }

    /// The expressions of simplified guards.
    pub fn guard_pool(&self) -> &ProgPool {
        &self.guard_pool
    }

    /// The accesses of the edge that may be to a raced item.
    pub fn raced_accesses(
        &self,
        program: &Program,
        thread: ThreadId,
        edge: EdgeId,
    ) -> Vec<DataAccess> {
        if self.raced.is_empty() {
            return vec![];
        }
        let e = &program.threads[thread].edges[edge];
        let mut list = data_accesses(program, thread, edge);
        list.retain(|a| items(program, e, a.place).iter().any(|i| self.raced.contains(i)));
        list
    }

    /// Whether races for the item matter.
    pub fn is_raced(&self, item: Item) -> bool {
        self.raced.contains(&item)
    }

    /// The edges that can be taken, by the location that they leave.
    pub fn outgoing(&self, program: &Program, thread: ThreadId) -> IndexVec<LocId, Vec<EdgeId>> {
        let t = &program.threads[thread];
        let mut outgoing = IndexVec::<LocId, Vec<EdgeId>>::filled(vec![], t.locations.len());
        for (e, edge) in t.edges.iter_enumerated() {
            if self.ranges.is_taken(thread, e) {
                outgoing[edge.from].push(e);
            }
        }
        outgoing
    }

    /// Whether the edge reads or writes a variable that is shared, or accesses a raced item.
    pub fn is_visible(&self, program: &Program, thread: ThreadId, edge: EdgeId) -> bool {
        let mut visible = !self.raced_accesses(program, thread, edge).is_empty();
        self.for_each_access(program, thread, edge, &mut |v, _| {
            visible |= self.sharing[v] == Sharing::Shared;
        });
        visible
    }

    fn find_sharing(&mut self, program: &Program, observed: &[VarId]) {
        let mut user = IndexVec::<VarId, Option<ThreadId>>::filled(None, program.vars.len());
        let mut several = IndexVec::<VarId, bool>::filled(false, program.vars.len());
        let mut written = IndexVec::<VarId, bool>::filled(false, program.vars.len());
        for (t, thread) in program.threads.iter_enumerated() {
            for e in thread.edges.ids().filter(|&e| self.ranges.is_taken(t, e)) {
                self.for_each_access(program, t, e, &mut |v, kind| {
                    several[v] |= user[v].is_some_and(|u| u != t);
                    user[v] = Some(t);
                    written[v] |= kind == AccessKind::Write;
                });
            }
        }
        for v in program.vars.ids() {
            let shared = program.vars[v].scope == Scope::Shared && several[v] && written[v];
            let watched = observed.contains(&v) && written[v];
            self.sharing[v] = match user[v] {
                _ if shared || watched => Sharing::Shared,
                Some(_) => Sharing::Private,
                None => Sharing::Unused,
            };
        }
        self.written = written;
    }

    /// Calls `f` with each access of the edge that the slice keeps, perhaps several times with the
    /// same one: shared and local variables, those that a dereference may reach, and the
    /// lifetimes that decide its validity. An edge that cannot be taken has none.
    pub fn for_each_access(
        &self,
        program: &Program,
        thread: ThreadId,
        edge: EdgeId,
        f: &mut dyn FnMut(VarId, AccessKind),
    ) {
        let e = &program.threads[thread].edges[edge];
        let Some(&guard) = self.guards.get(&(thread, edge)) else { return };
        let mut exprs = vec![(&self.guard_pool, guard, AccessKind::Guard)];
        for d in self.slice.raced_derefs(e) {
            exprs.push((&program.pool, e.derefs[d].addr, AccessKind::Value));
            self.for_each_lifetime(program, (thread, edge, d), &mut |v| f(v, AccessKind::Value));
        }
        for (k, assign) in e.assigns.iter().enumerate() {
            if self.keeps(program, thread, edge, k) {
                exprs.push((&program.pool, assign.value, AccessKind::Value));
                match assign.target {
                    Target::Var(v) => f(v, AccessKind::Write),
                    Target::Deref(d) => {
                        exprs.push((&program.pool, e.derefs[d].addr, AccessKind::Value));
                        self.for_each_lifetime(program, (thread, edge, d), &mut |v| {
                            f(v, AccessKind::Value);
                        });
                        self.for_each_place(program, (thread, edge, d), &mut |v| {
                            f(v, AccessKind::Write);
                        });
                    }
                }
            }
        }
        while let Some((pool, root, kind)) = exprs.pop() {
            pool.for_each_leaf(root, |leaf, _| match leaf {
                Leaf::Var(v) => f(v, kind),
                Leaf::Loaded(d) => {
                    exprs.push((&program.pool, e.derefs[d].addr, kind));
                    self.for_each_lifetime(program, (thread, edge, d), &mut |v| f(v, kind));
                    self.for_each_place(program, (thread, edge, d), &mut |v| f(v, kind));
                }
                Leaf::Valid(d) => {
                    exprs.push((&program.pool, e.derefs[d].addr, kind));
                    self.for_each_lifetime(program, (thread, edge, d), &mut |v| f(v, kind));
                }
                Leaf::Address(_) | Leaf::Input(_) => {}
            });
        }
    }

    /// The lifetimes that the slice keeps of the objects that a dereference may be in.
    fn for_each_lifetime(
        &self,
        program: &Program,
        (thread, edge, deref): (ThreadId, EdgeId, DerefId),
        f: &mut dyn FnMut(VarId),
    ) {
        for place in self.places(thread, edge, deref) {
            if let Lifetime::While(v) = program.objects[place.object].lifetime
                && self.slice.has(v)
            {
                f(v);
            }
        }
    }

    fn for_each_place(
        &self,
        program: &Program,
        (thread, edge, deref): (ThreadId, EdgeId, DerefId),
        f: &mut dyn FnMut(VarId),
    ) {
        let bytes = u64::from(program.threads[thread].edges[edge].derefs[deref].bytes);
        for place in self.places(thread, edge, deref) {
            place.overlap(program, bytes).for_each(&mut *f);
        }
    }
}

/// The guards of the edges that can be taken, with constants for what has one value only.
fn simplified_guards(
    program: &Program,
    ranges: &Ranges,
) -> (ProgPool, HashMap<(ThreadId, EdgeId), ProgExpr>) {
    let mut pool = Pool::rewriting();
    let mut guards = HashMap::default();
    for (t, thread) in program.threads.iter_enumerated() {
        for (e, edge) in thread.edges.iter_enumerated().filter(|&(e, _)| ranges.is_taken(t, e)) {
            let guard = match ranges.guard(program, t, e) {
                Some(truth) => pool.bool(truth),
                None => program.pool.translate(
                    edge.guard,
                    &mut pool,
                    &mut |pool, leaf, width| match leaf {
                        Leaf::Var(v) => match ranges.value(program, t, edge.from, v).as_const() {
                            Some(value) => pool.constant(value, width),
                            None => pool.leaf(leaf, width),
                        },
                        _ => pool.leaf(leaf, width),
                    },
                    &mut HashMap::default(),
                ),
            };
            guards.insert((t, e), guard);
        }
    }
    (pool, guards)
}
