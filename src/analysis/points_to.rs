//! Points-to analysis: which objects each dereference may reach.
//!
//! Inclusion based (Andersen, PhD thesis, DIKU, 1994), at any time. Local variables are taken web
//! by web, and as calls are already inlined, this makes it sensitive to context. Targets have an
//! offset from the start of their object, up to a congruence, and so it is sensitive to the fields
//! of structs, also in arrays of them (as in Pearce, Kelly and Hankin, TOPLAS 30(1), 2007, section
//! 4, whose offsets are constants). Which element of an array it is, is left to range analysis. A
//! dereference reaches no object that it does not fit.
//!
//! A pointer that arithmetic takes once around the address space no longer points to its object.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{HashMap, IndexVec};
use crate::expr::{Node, Op2, sign_extend};
use crate::program::{
    Deref, Edge, Leaf, LocId, ObjId, Object, ProgExpr, Program, Scope, Target, ThreadId, VarId,
    Variable,
};

use super::stride::Stride;
use super::webs::{WebId, Webs};

/// Objects that a value may be an address of, and the distances from their starts, in bytes and
/// above [`ZERO`].
type Objects = BTreeMap<ObjId, Stride>;

/// The distance 0: a [`Stride`] has no negative numbers.
const ZERO: u128 = 1 << 100;

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
                    let objects: Arc<[ObjId]> = objects.into_keys().collect();
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
        let distance = |o: &Object| {
            let distance = v.init.checked_sub(u128::from(o.address));
            distance.filter(|d| v.width == 8 * program.pointer_bytes && *d <= u128::from(o.size))
        };
        let objects = program.objects.iter_enumerated();
        objects.filter_map(|(id, o)| Some((id, exactly(distance(o)?.cast_signed())))).collect()
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
                    let value = self.of_expr(here, edge, assign.value).objects;
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
                            let deref = &edge.derefs[d];
                            let loose = anywhere(&value);
                            for (v, whole) in self.leaves(here, edge, deref) {
                                let value = if whole { &value } else { &loose };
                                grew |= add(&mut self.vars[v], value);
                            }
                        }
                    }
                }
            }
        }
        grew
    }

    fn of_address(&self, here: At, edge: &Edge, deref: &Deref) -> Objects {
        let mut found = self.of_expr(here, edge, deref.addr).objects;
        if let Some(list) = &deref.objects {
            let known = |&o: &ObjId| (o, found.get(&o).copied().unwrap_or(Stride::ANY));
            found = list.iter().map(known).collect();
        }
        found.retain(|&o, _| deref.fits(&self.program.objects[o]));
        found
    }

    /// The variables that a dereference may be about, and whether it is about the variable as a
    /// whole or about a part or several of them. A variable can come twice.
    fn leaves(&self, here: At, edge: &Edge, deref: &Deref) -> Vec<(VarId, bool)> {
        let bytes = u64::from(deref.bytes);
        let mut result = vec![];
        for (o, distances) in self.of_address(here, edge, deref) {
            let object = &self.program.objects[o];
            let Some(last) = object.size.checked_sub(bytes) else { continue };
            for &(start, v) in &object.leaves {
                let size = u64::from(self.program.vars[v].width / 8);
                let mut at = (start + 1).saturating_sub(bytes);
                let end = last.min(start + size - 1);
                while let Some(distance) = distances.up(ZERO + u128::from(at)) {
                    // A single distance is given even if it lies before.
                    let here = distance.checked_sub(ZERO).and_then(|d| u64::try_from(d).ok());
                    let Some(here) = here.filter(|h| (at..=end).contains(h)) else { break };
                    result.push((v, here == start && bytes == size));
                    at = here + 1;
                }
            }
        }
        result
    }

    /// What the value may be computed from. Comparisons carry nothing.
    fn of_expr(&self, here: At, edge: &Edge, root: ProgExpr) -> Value {
        let pool = &self.program.pool;
        let mut memo: HashMap<ProgExpr, Value> = HashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((e, ready)) = stack.pop() {
            if memo.contains_key(&e) {
                continue;
            }
            let node = pool.node(e);
            let operands = || pool.operands(e);
            let has_none = matches!(node, Node::Op2(op, ..) if op.is_comparison());
            if !ready && !has_none && operands().next().is_some() {
                stack.push((e, true));
                stack.extend(operands().map(|x| (x, false)));
                continue;
            }
            let width = pool.width(e);
            let value = match node {
                _ if has_none => Value::number(Stride::ANY),
                Node::Const(c) => Value::number(exactly(sign_extend(c, width))),
                Node::Leaf(leaf) => Value::address(self.of_leaf(here, edge, leaf)),
                Node::Ite(_, a, b) => memo[&a].or(&memo[&b]),
                Node::Op2(Op2::Add, a, b) => memo[&a].plus(&memo[&b]),
                Node::Op2(Op2::Sub, a, b) => memo[&a].minus(&memo[&b]),
                _ => {
                    let parts = operands().map(|x| anywhere(&memo[&x].objects));
                    let objects = parts.fold(Objects::new(), |mut all, part| {
                        add(&mut all, &part);
                        all
                    });
                    let distance = multiples(self.factor(e, &memo));
                    Value { objects, distance }
                }
            };
            memo.insert(e, value);
        }
        memo.remove(&root).expect("just computed")
    }

    /// A number of which the value, no sum, is a multiple.
    fn factor(&self, e: ProgExpr, memo: &HashMap<ProgExpr, Value>) -> u128 {
        let pool = &self.program.pool;
        let width = pool.width(e);
        match pool.node(e) {
            Node::Op2(Op2::Mul, a, b) => {
                let (factor, other) = match (pool.as_const(a), pool.as_const(b)) {
                    (_, Some(c)) => (sign_extend(c, width).unsigned_abs(), a),
                    (Some(c), _) => (sign_extend(c, width).unsigned_abs(), b),
                    _ => return 1,
                };
                let narrow = match pool.node(other) {
                    Node::ZeroExtend(x) | Node::SignExtend(x) => pool.width(x),
                    _ => width,
                };
                // With some bits to spare, so that sums do not wrap, either.
                let wraps = narrow + (128 - factor.leading_zeros()) + 8 > width;
                if wraps { power_of_two(factor) } else { factor }
            }
            Node::Op2(Op2::Shl, _, by) => match pool.as_const(by) {
                Some(k) if k < u128::from(width.min(64)) => 1 << k,
                _ => 1,
            },
            Node::Concat(_, low) if pool.as_const(low) == Some(0) => 1 << pool.width(low).min(64),
            // Among the values that are equal modulo 2^n the other ones have the same factors 2.
            Node::ZeroExtend(a) | Node::SignExtend(a) => {
                let step = memo[&a].distance.step();
                let low = power_of_two(step);
                if memo[&a].distance.contains(ZERO) { low } else { 1 }
            }
            _ => 1,
        }
    }

    fn of_leaf(&self, here: At, edge: &Edge, leaf: Leaf) -> Objects {
        match leaf {
            Leaf::Address(o) => Objects::from([(o, exactly(0))]),
            Leaf::Var(v) if has_webs(self.program, v) => {
                let web = self.webs.at(here.0, here.1, v);
                web.map(|w| self.in_webs[w].clone()).unwrap_or_default()
            }
            Leaf::Var(v) => self.vars[v].clone(),
            Leaf::Loaded(d) => {
                let mut result = Objects::new();
                for (v, whole) in self.leaves(here, edge, &edge.derefs[d]) {
                    match whole {
                        true => add(&mut result, &self.vars[v]),
                        false => add(&mut result, &anywhere(&self.vars[v])),
                    };
                }
                result
            }
            Leaf::Input(_) | Leaf::Valid(_) => Objects::new(),
        }
    }
}

/// What a value may be.
#[derive(Clone, Debug)]
struct Value {
    /// The objects whose addresses it may be computed from.
    objects: Objects,
    /// What it adds to an address, above [`ZERO`].
    distance: Stride,
}

impl Value {
    fn address(objects: Objects) -> Self {
        Value { objects, distance: Stride::ANY }
    }

    fn number(distance: Stride) -> Self {
        Value { objects: Objects::new(), distance }
    }

    fn or(&self, other: &Self) -> Self {
        let mut objects = self.objects.clone();
        add(&mut objects, &other.objects);
        Value { objects, distance: self.distance.join(other.distance) }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut objects = moved(&self.objects, other.distance);
        add(&mut objects, &moved(&other.objects, self.distance));
        Value { objects, distance: sum(self.distance, other.distance) }
    }

    fn minus(&self, other: &Self) -> Self {
        let back = Stride::of_set(&[2 * ZERO]).sub(other.distance);
        let mut objects = moved(&self.objects, back);
        add(&mut objects, &anywhere(&other.objects));
        Value { objects, distance: sum(self.distance, back) }
    }
}

/// A single distance, below 2^99 either way.
fn exactly(distance: i128) -> Stride {
    Stride::of_set(&[ZERO.wrapping_add_signed(distance)])
}

/// All multiples of a number that is not larger than 2^64; of 0 only 0.
fn multiples(factor: u128) -> Stride {
    Stride::of_set(&[ZERO, ZERO + factor])
}

/// The greatest power of two that divides it; of 0 it is 0.
fn power_of_two(factor: u128) -> u128 {
    factor & factor.wrapping_neg()
}

fn sum(a: Stride, b: Stride) -> Stride {
    a.add(b).sub(Stride::of_set(&[ZERO]))
}

fn moved(objects: &Objects, by: Stride) -> Objects {
    objects.iter().map(|(&o, &at)| (o, sum(at, by))).collect()
}

fn anywhere(objects: &Objects) -> Objects {
    objects.keys().map(|&o| (o, Stride::ANY)).collect()
}

/// Adds objects and distances; whether there were any new ones.
fn add(set: &mut Objects, more: &Objects) -> bool {
    let mut grew = false;
    for (&o, &distances) in more {
        let old = set.get(&o).copied();
        let new = old.map_or(distances, |old| old.join(distances));
        if old != Some(new) {
            set.insert(o, new);
            grew = true;
        }
    }
    grew
}
