//! Slicing: which variables can influence what is asked.
//!
//! Control is kept as it is: all guards are relevant, so the slice terminates, blocks and
//! reaches sites exactly like the program. What only feeds irrelevant variables is dropped.

use crate::base::{HashSet, Id, IndexVec};
use crate::expr::Node;
use crate::program::contention::Item;
use crate::program::{DerefId, Edge, Leaf, ObjId, ProgExpr, Program, Target, VarId};

/// The relevant variables of a program.
#[derive(Clone, Debug)]
pub struct Slice {
    relevant: IndexVec<VarId, bool>,
    /// Objects whose accesses matter even where their values do not.
    raced: HashSet<ObjId>,
}

impl Slice {
    /// Everything is relevant.
    pub fn all(program: &Program) -> Self {
        Self { relevant: IndexVec::filled(true, program.vars.len()), raced: HashSet::default() }
    }

    /// What can influence guards (and so sites), the `observed` variables, and where in the `raced`
    /// items accesses are.
    pub fn new(program: &Program, observed: &[VarId], raced: &[Item]) -> Self {
        let objects = raced.iter().filter_map(|item| match *item {
            Item::Object(o) => Some(o),
            Item::Var(_) => None,
        });
        let relevant = IndexVec::filled(false, program.vars.len());
        let mut this = Self { relevant, raced: objects.collect() };
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
        while this.round(program) {}
        this
    }

    /// Marks what kept assignments read; whether anything was new.
    fn round(&mut self, program: &Program) -> bool {
        let mut grew = false;
        for edge in program.threads.iter().flat_map(|t| t.edges.iter()) {
            for (k, assign) in edge.assigns.iter().enumerate() {
                if self.keeps(program, edge, k) {
                    grew |= self.mark(program, edge, assign.value);
                    if let Target::Deref(d) = assign.target {
                        grew |= self.mark(program, edge, edge.derefs[d].addr);
                        grew |= self.add(lifetimes(program, edge, d));
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

    /// Whether the edge's assignment at this position writes something relevant.
    pub fn keeps(&self, program: &Program, edge: &Edge, assign: usize) -> bool {
        match edge.assigns[assign].target {
            Target::Var(v) => self.relevant[v],
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

    /// The dereferences of the edge that its guard or a kept assignment uses, or that may be in a
    /// raced object.
    pub fn derefs(&self, program: &Program, edge: &Edge) -> Vec<DerefId> {
        if edge.derefs.is_empty() {
            return vec![];
        }
        let mut used = vec![false; edge.derefs.len()];
        let mut look = |e: ProgExpr| {
            program.pool.for_each_leaf(e, |leaf, _| {
                if let Leaf::Loaded(d) | Leaf::Valid(d) = leaf {
                    used[d.index()] = true;
                }
            });
        };
        look(edge.guard);
        let mut written = vec![];
        for (k, assign) in edge.assigns.iter().enumerate() {
            if self.keeps(program, edge, k) {
                look(assign.value);
                if let Target::Deref(d) = assign.target {
                    written.push(d);
                }
            }
        }
        written.extend(self.raced_derefs(edge));
        written.iter().for_each(|d| used[d.index()] = true);
        edge.derefs.ids().filter(|d| used[d.index()]).collect()
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
