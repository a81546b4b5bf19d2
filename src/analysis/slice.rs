//! Slicing: which variables can influence what is asked.
//!
//! Control is kept as it is: all guards are relevant, so the slice terminates, blocks and
//! reaches sites exactly like the program. What only feeds irrelevant variables is dropped; of a
//! thread's own variables, which are used again and again, also what only feeds values that are
//! overwritten (M. Weiser: Program slicing, ICSE 1981).

use crate::base::{HashSet, IndexVec};
use crate::expr::Node;
use crate::program::contention::Item;
use crate::program::{DerefId, Edge, Leaf, ObjId, ProgExpr, Program, Target, ThreadId, VarId};

use super::liveness::Liveness;

/// The relevant variables of a program.
#[derive(Clone, Debug)]
pub struct Slice {
    relevant: IndexVec<VarId, bool>,
    /// Whether every assignment is kept, also to variables that are dead.
    pub(super) all: bool,
    /// Objects whose accesses matter even where their values do not.
    raced: HashSet<ObjId>,
}

impl Slice {
    /// Everything is relevant.
    pub fn all(program: &Program) -> Self {
        let relevant = IndexVec::filled(true, program.vars.len());
        Self { relevant, all: true, raced: HashSet::default() }
    }

    /// What can influence guards (and so sites), the `observed` variables, and where in the `raced`
    /// items accesses are.
    pub fn new(program: &Program, observed: &[VarId], raced: &[Item]) -> Self {
        let objects = raced.iter().filter_map(|item| match *item {
            Item::Object(o) => Some(o),
            Item::Var(_) => None,
        });
        let relevant = IndexVec::filled(false, program.vars.len());
        let mut this = Self { relevant, all: false, raced: objects.collect() };
        observed.iter().for_each(|&v| this.relevant[v] = true);
        for edge in program.threads.iter().flat_map(|t| t.edges.iter()) {
            this.mark(program, edge, edge.guard);
            for d in this.raced_derefs(edge) {
                this.mark(program, edge, edge.derefs[d].addr);
                for v in lifetimes(program, edge, d) {
                    this.relevant[v] = true;
                }
            }
        }
        loop {
            let ids = program.threads.ids();
            let live = ids.map(|t| Liveness::new(program, t, &this, observed)).collect();
            if !this.round(program, &live) {
                return this;
            }
            while this.round(program, &live) {}
        }
    }

    /// Marks what kept assignments read, by what is live so far; whether anything was new.
    fn round(&mut self, program: &Program, live: &IndexVec<ThreadId, Liveness>) -> bool {
        let mut grew = false;
        for (t, thread) in program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                for (k, assign) in edge.assigns.iter().enumerate() {
                    if self.keeps(program, &live[t], edge, k) {
                        grew |= self.mark(program, edge, assign.value);
                        if let Target::Deref(d) = assign.target {
                            grew |= self.mark(program, edge, edge.derefs[d].addr);
                            grew |= self.add(lifetimes(program, edge, d));
                        }
                    }
                }
            }
        }
        grew
    }

    /// Adds these variables; whether one is new.
    fn add(&mut self, vars: impl Iterator<Item = VarId>) -> bool {
        vars.fold(false, |grew, v| grew | !std::mem::replace(&mut self.relevant[v], true))
    }

    fn mark(&mut self, program: &Program, edge: &Edge, root: ProgExpr) -> bool {
        let mut grew = false;
        let mut stack = vec![root];
        let mut seen = HashSet::default();
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            match program.pool.node(e) {
                Node::Leaf(Leaf::Var(v)) => grew |= self.add(std::iter::once(v)),
                // Where a dereference is, and what it is worth, depends on what is alive.
                Node::Leaf(leaf @ (Leaf::Loaded(d) | Leaf::Valid(d))) => {
                    stack.push(edge.derefs[d].addr);
                    grew |= self.add(lifetimes(program, edge, d));
                    if matches!(leaf, Leaf::Loaded(_)) {
                        grew |= self.add(touched(program, edge, d));
                    }
                }
                _ => stack.extend(program.pool.operands(e)),
            }
        }
        grew
    }

    /// Whether the variable is relevant.
    pub fn has(&self, var: VarId) -> bool {
        self.relevant[var]
    }

    /// Whether the edge's assignment at this position writes something relevant: among the
    /// thread's own variables one that is live behind the edge.
    pub fn keeps(&self, program: &Program, live: &Liveness, edge: &Edge, assign: usize) -> bool {
        match edge.assigns[assign].target {
            Target::Var(v) if live.is_local(v) => self.all || live.is_live(edge.to, v),
            Target::Var(v) => self.relevant[v],
            // Points-to analysis does not know yet where it may go.
            Target::Deref(_) if self.all => true,
            Target::Deref(d) => touched(program, edge, d).any(|v| self.relevant[v]),
        }
    }

    /// The dereferences of the edge that may be in a raced object.
    pub fn raced_derefs(&self, edge: &Edge) -> Vec<DerefId> {
        let raced = |d: &DerefId| {
            let objects = edge.derefs[*d].objects.as_deref().unwrap_or_default();
            objects.iter().any(|o| self.raced.contains(o))
        };
        edge.derefs.ids().filter(raced).collect()
    }
}

/// All leaves of the objects that a dereference may reach.
fn touched<'a>(
    program: &'a Program,
    edge: &'a Edge,
    d: DerefId,
) -> impl Iterator<Item = VarId> + 'a {
    let objects = edge.derefs[d].objects.as_deref().unwrap_or_default();
    objects.iter().flat_map(|&o| program.objects[o].leaves.iter().map(|&(_, v)| v))
}

/// The lifetime variables of the objects that a dereference may reach.
fn lifetimes<'a>(
    program: &'a Program,
    edge: &'a Edge,
    d: DerefId,
) -> impl Iterator<Item = VarId> + 'a {
    let objects = edge.derefs[d].objects.as_deref().unwrap_or_default();
    objects.iter().filter_map(|&o| match program.objects[o].lifetime {
        crate::program::Lifetime::Static => None,
        crate::program::Lifetime::While(v) => Some(v),
    })
}
