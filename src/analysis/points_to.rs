//! Points-to analysis: which objects each dereference may reach.
//!
//! Inclusion based (Andersen, PhD thesis, DIKU, 1994), insensitive to flow and, within an
//! object, to offsets; calls are already inlined, so it is sensitive to context. Offsets inside
//! an object are left to range analysis, which knows the values of addresses.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::base::{HashMap, Id, IndexVec};
use crate::expr::Node;
use crate::program::{
    Deref, Edge, Leaf, ObjId, Object, ProgExpr, Program, Target, VarId, Variable,
};

type Objects = BTreeSet<ObjId>;

/// Fills in `Deref::objects` wherever the front end left it open. An address that is computed
/// from no object's address reaches none: its dereference is invalid.
pub fn points_to(program: &mut Program) {
    let mut solver = Solver { program, vars: initial(program) };
    while solver.round() {}
    let vars = solver.vars;
    let solver = Solver { program, vars };
    let mut found = Vec::new();
    for (t, thread) in program.threads.iter_enumerated() {
        for (e, edge) in thread.edges.iter_enumerated() {
            for (d, deref) in edge.derefs.iter_enumerated() {
                if deref.objects.is_none() {
                    let objects: Rc<[ObjId]> = solver.of_address(edge, deref).into_iter().collect();
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

struct Solver<'a> {
    program: &'a Program,
    vars: IndexVec<VarId, Objects>,
}

impl Solver<'_> {
    /// Looks at every assignment once; whether anything grew.
    fn round(&mut self) -> bool {
        let mut grew = false;
        for thread in self.program.threads.iter() {
            for edge in thread.edges.iter() {
                for assign in &edge.assigns {
                    let value = self.of_expr(edge, assign.value);
                    if value.is_empty() {
                        continue;
                    }
                    match assign.target {
                        Target::Var(v) => grew |= add(&mut self.vars[v], &value),
                        Target::Deref(d) => {
                            for o in self.of_address(edge, &edge.derefs[d]) {
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

    fn of_address(&self, edge: &Edge, deref: &Deref) -> Objects {
        match &deref.objects {
            Some(list) => list.iter().copied().collect(),
            None => self.of_expr(edge, deref.addr),
        }
    }

    /// The objects whose addresses the value may be computed from. Comparisons carry none.
    fn of_expr(&self, edge: &Edge, root: ProgExpr) -> Objects {
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
                Node::Leaf(Leaf::Var(v)) => result.extend(&self.vars[v]),
                Node::Leaf(Leaf::Loaded(d)) => {
                    debug_assert!(d.index() < edge.derefs.len());
                    for o in self.of_address(edge, &edge.derefs[d]) {
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
