//! Points-to analysis: which objects each dereference may reach.
//!
//! Inclusion based (Andersen, PhD thesis, DIKU, 1994). Objects are taken as a whole, at any time;
//! local variables web by web, and as calls are already inlined, this makes it sensitive to
//! context. A dereference reaches no object that it does not fit. Offsets inside an object are left to range analysis, which knows the values of
//! addresses.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::{HashMap, Id, IndexVec};
use crate::expr::Node;
use crate::program::{
    Deref, Edge, Leaf, LocId, ObjId, Object, ProgExpr, Program, Scope, Target, ThreadId, VarId,
    Variable,
};

use super::webs::{WebId, Webs};

type Objects = BTreeSet<ObjId>;

/// Fills in `Deref::objects` wherever the front end left it open. An address that is computed
/// from no object's address reaches none: its dereference is invalid.
pub fn points_to(program: &mut Program) {
    let mut solver = Solver::new(program);
    while solver.round() {}
    let mut found = Vec::new();
    for (t, thread) in program.threads.iter_enumerated() {
        for (e, edge) in thread.edges.iter_enumerated() {
            for (d, deref) in edge.derefs.iter_enumerated() {
                if deref.objects.is_none() {
                    let objects = solver.of_address((t, edge.from), edge, deref);
                    let objects: Arc<[ObjId]> = objects.into_iter().collect();
                    found.push((t, e, d, objects));
                }
            }
        }
    }
    for (t, e, d, objects) in found {
        program.threads[t].edges[e].derefs[d].objects = Some(objects);
    }
}

/// The objects whose addresses are initial values: a front end writes those as numbers. A number
/// that happens to be an address counts as one.
fn initial(program: &Program) -> IndexVec<VarId, Objects> {
    let holds = |v: &Variable| -> Objects {
        let inside = |o: &Object| {
            let start = u128::from(o.address);
            v.width == 8 * program.pointer_bytes
                && (start..=start + u128::from(o.size)).contains(&v.init)
        };
        let objects = program.objects.iter_enumerated();
        objects.filter(|(_, o)| inside(o)).map(|(id, _)| id).collect()
    };
    program.vars.iter().map(holds).collect()
}

/// A place of a thread.
type At = (ThreadId, LocId);

struct Solver<'a> {
    program: &'a Program,
    /// What variables hold that have no webs.
    vars: IndexVec<VarId, Objects>,
    webs: Webs,
    in_webs: IndexVec<WebId, Objects>,
}

/// Whether a variable is taken web by web: it is local and holds a whole pointer.
fn has_webs(program: &Program, v: VarId) -> bool {
    let var = &program.vars[v];
    matches!(var.scope, Scope::Local(_)) && var.width >= 8 * program.pointer_bytes
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program) -> Self {
        let vars = initial(program);
        let webs = Webs::new(program, |v| has_webs(program, v));
        let mut in_webs = IndexVec::filled(Objects::new(), webs.len());
        for (t, thread) in program.threads.iter_enumerated() {
            for (v, objects) in vars.iter_enumerated().filter(|(_, o)| !o.is_empty()) {
                if let Some(w) = webs.at(t, thread.start, v) {
                    add(&mut in_webs[w], objects);
                }
            }
        }
        Solver { program, vars, webs, in_webs }
    }

    /// Looks at every assignment once; whether anything grew.
    fn round(&mut self) -> bool {
        let mut grew = false;
        for (t, thread) in self.program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                let here = (t, edge.from);
                for assign in &edge.assigns {
                    let value = self.of_expr(here, edge, assign.value);
                    if value.is_empty() {
                        continue;
                    }
                    match assign.target {
                        Target::Var(v) if has_webs(self.program, v) => {
                            // Where it is dead nobody reads it.
                            if let Some(w) = self.webs.at(t, edge.to, v) {
                                grew |= add(&mut self.in_webs[w], &value);
                            }
                        }
                        Target::Var(v) => grew |= add(&mut self.vars[v], &value),
                        Target::Deref(d) => {
                            for o in self.of_address(here, edge, &edge.derefs[d]) {
                                for &(_, v) in &self.program.objects[o].leaves {
                                    grew |= add(&mut self.vars[v], &value);
                                }
                            }
                        }
                    }
                }
            }
        }
        grew
    }

    fn of_address(&self, here: At, edge: &Edge, deref: &Deref) -> Objects {
        let mut objects = match &deref.objects {
            Some(list) => list.iter().copied().collect(),
            None => self.of_expr(here, edge, deref.addr),
        };
        objects.retain(|&o| deref.fits(&self.program.objects[o]));
        objects
    }

    /// The objects whose addresses the value may be computed from. Comparisons carry none.
    fn of_expr(&self, here: At, edge: &Edge, root: ProgExpr) -> Objects {
        let pool = &self.program.pool;
        let mut result = Objects::new();
        let mut seen = HashMap::default();
        let mut stack = vec![root];
        while let Some(e) = stack.pop() {
            if seen.insert(e, ()).is_some() {
                continue;
            }
            match pool.node(e) {
                Node::Leaf(Leaf::Address(o)) => {
                    result.insert(o);
                }
                Node::Leaf(Leaf::Var(v)) if has_webs(self.program, v) => {
                    if let Some(w) = self.webs.at(here.0, here.1, v) {
                        result.extend(&self.in_webs[w]);
                    }
                }
                Node::Leaf(Leaf::Var(v)) => result.extend(&self.vars[v]),
                Node::Leaf(Leaf::Loaded(d)) => {
                    debug_assert!(d.index() < edge.derefs.len());
                    for o in self.of_address(here, edge, &edge.derefs[d]) {
                        for &(_, v) in &self.program.objects[o].leaves {
                            result.extend(&self.vars[v]);
                        }
                    }
                }
                Node::Op2(op, ..) if op.is_comparison() => {}
                Node::Ite(_, a, b) => stack.extend([a, b]),
                _ => stack.extend(pool.operands(e)),
            }
        }
        result
    }
}

fn add(set: &mut Objects, more: &Objects) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}
