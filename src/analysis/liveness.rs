//! Liveness of thread-local variables: backward dataflow, one bit a variable and location.
//!
//! Under a slice it is the strong one (R. Giegerich, U. Möncke, R. Wilhelm: Invariance of
//! approximate semantics with respect to program transformations, 1981): an assignment to a
//! variable that is dead behind it reads nothing.

use crate::base::{HashMap, IndexVec};
use crate::program::{Edge, Leaf, LocId, ProgExpr, Program, Scope, Target, ThreadId, VarId};

use super::slice::Slice;

/// A set of the local variables of one thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalSet(Vec<u64>);

impl LocalSet {
    fn empty(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    fn contains(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| (word >> (bit % 64)) & 1 == 1)
    }

    /// The bits, ascending.
    fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(k, &word)| {
            let next = |w: &u64| Some(w & (w - 1)).filter(|&rest| rest != 0);
            let words = std::iter::successors(Some(word).filter(|&w| w != 0), next);
            words.map(move |w| 64 * k + w.trailing_zeros() as usize)
        })
    }

    /// Adds all of `other` (of the same thread); whether anything was new.
    pub fn union(&mut self, other: &Self) -> bool {
        let mut grew = false;
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grew |= *b & !*a != 0;
            *a |= b;
        }
        grew
    }
}

/// What an edge reads and writes.
struct Effect {
    /// Read in any case.
    reads: LocalSet,
    assigns: Vec<Assign>,
}

/// An assignment that the slice keeps, or may keep.
struct Assign {
    /// The local variable that it writes, if it is one.
    target: Option<usize>,
    reads: LocalSet,
}

/// Which local variables of a thread may still be read, at each location.
#[derive(Clone, Debug)]
pub struct Liveness {
    locals: Vec<VarId>,
    position: HashMap<VarId, usize>,
    live: IndexVec<LocId, LocalSet>,
}

impl Liveness {
    /// The liveness of a thread's variables of scope [`Scope::Local`]. Assignments that `slice`
    /// drops read nothing; `observed` variables are read everywhere.
    pub fn new(program: &Program, thread: ThreadId, slice: &Slice, observed: &[VarId]) -> Self {
        let locals: Vec<VarId> = program
            .vars
            .iter_enumerated()
            .filter(|(_, v)| v.scope == Scope::Local(thread))
            .map(|(id, _)| id)
            .collect();
        let position: HashMap<VarId, usize> =
            locals.iter().enumerate().map(|(k, &v)| (v, k)).collect();
        let t = &program.threads[thread];
        let mut always = LocalSet::empty(locals.len());
        observed.iter().filter_map(|v| position.get(v)).for_each(|&k| always.insert(k));
        let live = IndexVec::filled(always.clone(), t.locations.len());
        let mut this = Self { locals, position, live };
        let effects: Vec<_> = t.edges.iter().map(|e| this.effect(program, e, slice)).collect();
        let mut incoming = IndexVec::<LocId, Vec<usize>>::filled(vec![], t.locations.len());
        for (k, edge) in t.edges.iter().enumerate() {
            incoming[edge.to].push(k);
        }
        let mut work: Vec<LocId> = t.locations.ids().collect();
        let mut queued = IndexVec::<LocId, bool>::filled(true, t.locations.len());
        while let Some(loc) = work.pop() {
            queued[loc] = false;
            for &k in &incoming[loc] {
                let mut set = this.live[loc].clone();
                for assign in effects[k].assigns.iter().filter_map(|a| a.target) {
                    set.remove(assign);
                }
                set.union(&effects[k].reads);
                for assign in &effects[k].assigns {
                    let local = assign.target.filter(|_| !slice.all);
                    if local.is_none_or(|v| this.live[loc].contains(v)) {
                        set.union(&assign.reads);
                    }
                }
                set.union(&always);
                let from = t.edges.as_slice()[k].from;
                if this.live[from].union(&set) && !queued[from] {
                    queued[from] = true;
                    work.push(from);
                }
            }
        }
        this
    }

    /// What the edge reads and writes.
    fn effect(&self, program: &Program, edge: &Edge, slice: &Slice) -> Effect {
        let mut reads = self.reads(program, edge, edge.guard);
        for d in slice.raced_derefs(edge) {
            reads.union(&self.reads(program, edge, edge.derefs[d].addr));
        }
        let mut assigns = vec![];
        for (k, assign) in edge.assigns.iter().enumerate() {
            let mut reads = self.reads(program, edge, assign.value);
            let target = match assign.target {
                Target::Var(v) => self.position.get(&v).copied(),
                Target::Deref(d) => {
                    reads.union(&self.reads(program, edge, edge.derefs[d].addr));
                    None
                }
            };
            if target.is_some() || slice.keeps(program, self, edge, k) {
                assigns.push(Assign { target, reads });
            }
        }
        Effect { reads, assigns }
    }

    /// What an expression reads, where dereferences are included.
    fn reads(&self, program: &Program, edge: &Edge, root: ProgExpr) -> LocalSet {
        let mut reads = LocalSet::empty(self.locals.len());
        let mut exprs = vec![root];
        while let Some(e) = exprs.pop() {
            program.pool.for_each_leaf(e, |leaf, _| match leaf {
                Leaf::Var(v) => {
                    if let Some(&k) = self.position.get(&v) {
                        reads.insert(k);
                    }
                }
                Leaf::Loaded(d) | Leaf::Valid(d) => exprs.push(edge.derefs[d].addr),
                Leaf::Address(_) | Leaf::Input(_) => {}
            });
        }
        reads
    }

    /// Whether the variable is local to the thread.
    pub fn is_local(&self, var: VarId) -> bool {
        self.position.contains_key(&var)
    }

    /// Whether the variable is local to the thread and may still be read after `loc`.
    pub fn is_live(&self, loc: LocId, var: VarId) -> bool {
        self.position.get(&var).is_some_and(|&k| self.live[loc].contains(k))
    }

    /// The local variables that may still be read after `loc`, in order of their ids.
    pub fn live_at(&self, loc: LocId) -> impl Iterator<Item = VarId> + '_ {
        self.live[loc].bits().map(|k| self.locals[k])
    }

    /// The local variables that may still be read after `loc`, as a set.
    pub fn set_at(&self, loc: LocId) -> &LocalSet {
        &self.live[loc]
    }

    /// The variables of `set` that are dead at `loc`, in order of their ids.
    pub fn dead_at<'a>(
        &'a self,
        loc: LocId,
        set: &'a LocalSet,
    ) -> impl Iterator<Item = VarId> + 'a {
        let dead = move |k: &usize| !self.live[loc].contains(*k);
        set.bits().filter(dead).map(|k| self.locals[k])
    }

    /// All local variables of the thread.
    pub fn locals(&self) -> &[VarId] {
        &self.locals
    }
}
