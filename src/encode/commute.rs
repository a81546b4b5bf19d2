//! What the steps of a thread do in sum, for schedulers that move several threads in one frame.
//!
//! A step that takes a mutex and gives it back leaves it as it was, and two steps that only add to
//! a variable can be swapped whatever it holds. (Commuting operations: S. Katz, D. Peled: Defining
//! conditional independence using collapses, TCS 1992.) Each scheduling point of a thread is looked
//! at by itself, with the program counter put into the step's expressions. The step from it
//!
//! - writes a variable only where its new value is neither the old one, nor a constant that the
//!   variable must hold for the step to be possible;
//! - only adds to a variable if the new value is the old one or a sum of it and something else, and
//!   nothing else of the step depends on the variable: whether it is possible, where it leads, which
//!   sites it violates, what it writes and accesses.

use std::collections::BTreeMap;

use crate::base::{HashMap, HashSet};
use crate::expr::{Node, Op2, Pool};
use crate::program::VarId;
use crate::ts::{StateId, TransitionSystem, TsExpr, TsLeaf};

use super::points::Points;
use super::state::{StateMap, Stored};
use super::steps::ThreadStep;

/// Threads with more points, times nodes of expressions, are not looked at.
const WORK: usize = 1 << 22;
/// The values of wider variables are not tried.
const BITS: u32 = 6;

/// That a step only adds to a variable.
#[derive(Clone, Copy, Debug)]
pub struct Added {
    /// When it does.
    pub when: TsExpr,
    /// How much then, as wide as the variable's state.
    pub amount: TsExpr,
}

type Scratch = Pool<TsLeaf>;

/// Makes a step's footprint as small as what it does in sum.
pub(super) fn sum_up(
    ts: &mut TransitionSystem,
    states: &StateMap,
    points: &Points,
    step: &mut ThreadStep,
) {
    if points.list().len() * ts.pool.len() > WORK {
        return;
    }
    for k in 0..points.list().len() {
        let here = match step.pc {
            None => ts.pool.bool(true),
            Some(pc) => {
                let index = ts.pool.constant(k as u128, points.width());
                let leaf = ts.states[pc].expr;
                ts.pool.eq(leaf, index)
            }
        };
        let mut point = Point::new(ts, step, k);
        let vars = std::mem::take(&mut point.written);
        let mut back = HashMap::default();
        for v in vars {
            let Stored::State { state, .. } = states.stored(v) else { continue };
            let Some(sum) = point.sum(ts, state) else { continue };
            let mut real = |ts: &mut TransitionSystem, e| {
                let leaf = &mut |pool: &mut Scratch, leaf, width| pool.leaf(leaf, width);
                point.pool.translate(e, &mut ts.pool, leaf, &mut back)
            };
            let (writes, adds) = (real(ts, sum.writes), real(ts, sum.adds));
            let amount = real(ts, sum.amount);
            let there = ts.pool.not(here);
            let known = step.footprint.writes[&v];
            let elsewhere = ts.pool.and(known, there);
            let now = ts.pool.and(here, writes);
            step.footprint.writes.insert(v, ts.pool.or(elsewhere, now));
            if ts.pool.is_false(adds) {
                continue;
            }
            if let Some(reads) = step.footprint.reads.get_mut(&v) {
                *reads = ts.pool.and(*reads, there);
            }
            let now = ts.pool.and(here, adds);
            let added = match step.footprint.adds.get(&v) {
                None => Added { when: now, amount },
                Some(old) => Added {
                    when: ts.pool.or(old.when, now),
                    amount: ts.pool.ite(here, amount, old.amount),
                },
            };
            step.footprint.adds.insert(v, added);
        }
    }
}

/// The step from one scheduling point, with expressions of its own.
struct Point {
    pool: Scratch,
    enabled: TsExpr,
    /// The variables that it may write, as the footprint says.
    written: Vec<VarId>,
    /// New values that are not the old ones.
    updates: BTreeMap<StateId, TsExpr>,
    /// What the updates depend on, and everything else.
    update_leaves: BTreeMap<StateId, HashSet<TsLeaf>>,
    other_leaves: HashSet<TsLeaf>,
}

/// What a step does to a variable; the conditions exclude each other.
#[derive(Clone, Copy)]
struct Sum {
    writes: TsExpr,
    adds: TsExpr,
    amount: TsExpr,
}

impl Point {
    fn new(ts: &TransitionSystem, step: &ThreadStep, index: usize) -> Self {
        let mut pool = Pool::rewriting();
        let mut memo = HashMap::default();
        let mut here = |e| {
            let leaf = &mut |pool: &mut Scratch, leaf, width| match (leaf, step.pc) {
                (TsLeaf::State(s), Some(pc)) if s == pc => pool.constant(index as u128, width),
                _ => pool.leaf(leaf, width),
            };
            ts.pool.translate_reached(e, &mut pool, leaf, &mut memo)
        };
        let footprint = &step.footprint;
        let enabled = here(step.enabled);
        let mut others = vec![enabled, here(step.closes), here(step.in_atomic)];
        others.extend(step.next_pc.map(&mut here));
        others.extend(step.sites.iter().map(|&(_, when)| here(when)));
        others.extend(footprint.reads.values().map(|&e| here(e)));
        let writes: Vec<_> = footprint.writes.iter().map(|(&v, &e)| (v, here(e))).collect();
        others.extend(writes.iter().map(|w| w.1));
        let updates: Vec<_> = step.updates.iter().map(|&(s, e)| (s, here(e))).collect();
        let old = |s: StateId, e| matches!(pool.node(e), Node::Leaf(TsLeaf::State(l)) if l == s);
        let updates: BTreeMap<_, _> = updates.into_iter().filter(|&(s, e)| !old(s, e)).collect();
        let written = writes.iter().filter(|w| !pool.is_false(w.1)).map(|w| w.0).collect();
        let other_leaves = others.into_iter().flat_map(|e| leaves(&pool, e)).collect();
        let update_leaves = updates.iter().map(|(&s, &e)| (s, leaves(&pool, e))).collect();
        Self { pool, enabled, written, updates, update_leaves, other_leaves }
    }

    /// What the step does to a state that it may change; nothing if it is just a write.
    fn sum(&mut self, ts: &TransitionSystem, state: StateId) -> Option<Sum> {
        let never = self.pool.bool(false);
        let width = ts.pool.width(ts.states[state].expr);
        let zero = self.pool.constant(0, width);
        let Some(&update) = self.updates.get(&state) else {
            return Some(Sum { writes: never, adds: never, amount: zero });
        };
        let leaf = TsLeaf::State(state);
        let sum = self.split(update, leaf);
        let mut others = self.update_leaves.iter().filter(|(s, _)| **s != state);
        let alone =
            !self.other_leaves.contains(&leaf) && others.all(|(_, set)| !set.contains(&leaf));
        let only_adds = alone && self.pool.is_false(sum.writes);
        let decides = [sum.writes, sum.adds, sum.amount];
        let depends = decides.iter().any(|&e| leaves(&self.pool, e).contains(&leaf));
        if only_adds && !depends {
            return Some(sum);
        }
        let writes = self.pool.or(sum.writes, sum.adds);
        (!self.pool.is_true(writes)).then_some(Sum { writes, adds: never, amount: zero })
    }

    /// Takes a new value of a state apart.
    fn split(&mut self, value: TsExpr, leaf: TsLeaf) -> Sum {
        let width = self.pool.width(value);
        let (never, always) = (self.pool.bool(false), self.pool.bool(true));
        let zero = self.pool.constant(0, width);
        let nothing = Sum { writes: never, adds: never, amount: zero };
        match self.pool.node(value) {
            Node::Leaf(l) if l == leaf => nothing,
            Node::Const(c) if self.must_hold(leaf, width, c) => nothing,
            Node::Ite(c, a, b) => {
                let (a, b) = (self.split(a, leaf), self.split(b, leaf));
                let mut both = |a, b| self.pool.ite(c, a, b);
                let (writes, adds) = (both(a.writes, b.writes), both(a.adds, b.adds));
                Sum { writes, adds, amount: both(a.amount, b.amount) }
            }
            _ => match self.addend(value, leaf, width) {
                Some(amount) => Sum { adds: always, amount, ..nothing },
                None => Sum { writes: always, ..nothing },
            },
        }
    }

    /// Whether the step is possible only where the state holds this value.
    fn must_hold(&self, leaf: TsLeaf, width: u32, value: u128) -> bool {
        width <= BITS
            && (0..1u128 << width).filter(|&other| other != value).all(|other| {
                let mut pool = Pool::rewriting();
                let put = &mut |pool: &mut Scratch, l, width| match l == leaf {
                    true => pool.constant(other, width),
                    false => pool.leaf(l, width),
                };
                let e = self.pool.translate(self.enabled, &mut pool, put, &mut HashMap::default());
                pool.is_false(e)
            })
    }

    /// What is added to the state (as wide as it) to get the lowest bits of `e`.
    fn addend(&mut self, e: TsExpr, leaf: TsLeaf, bits: u32) -> Option<TsExpr> {
        match self.pool.node(e) {
            Node::Leaf(l) => (l == leaf).then(|| self.pool.constant(0, bits)),
            Node::ZeroExtend(a)
            | Node::SignExtend(a)
            | Node::Extract(a, 0)
            | Node::Concat(_, a)
                if self.pool.width(a) >= bits =>
            {
                self.addend(a, leaf, bits)
            }
            Node::Op2(op @ (Op2::Add | Op2::Sub), a, b) => {
                let (old, new) = match (self.addend(a, leaf, bits), op) {
                    (Some(old), _) => (old, b),
                    (None, Op2::Add) => (self.addend(b, leaf, bits)?, a),
                    _ => return None,
                };
                let new = self.pool.extract(new, 0, bits);
                Some(self.pool.op2(op, old, new))
            }
            _ => None,
        }
    }
}

fn leaves(pool: &Scratch, e: TsExpr) -> HashSet<TsLeaf> {
    let mut found = HashSet::default();
    pool.for_each_leaf(e, |leaf, _| {
        found.insert(leaf);
    });
    found
}

#[cfg(test)]
mod tests;
