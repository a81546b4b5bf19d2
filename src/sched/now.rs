//! What the next step of a thread may access, in terms of the current state alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Facts, Mode, Object, Patterns, raced_items};
use crate::base::{HashMap, IndexVec};
use crate::encode::{Encoding, Footprint, Points};
use crate::expr::Node;
use crate::program::contention::Item;
use crate::program::{EdgeId, LocId, Program, ThreadId, VarId};
use crate::ts::{TransitionSystem, TsExpr, TsLeaf};

use super::scheduled::any;

/// The facts that a scheduler needs that decides by what threads access.
#[derive(Clone, Copy)]
pub struct SchedulerFacts<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its ranges, places and sharing.
    pub facts: &'a Facts,
    /// Its lock acquisition patterns.
    pub patterns: &'a Patterns,
}

/// What one thread's next step may access, whatever its inputs are.
pub(super) struct Now(BTreeMap<(Object, Mode), TsExpr>);

impl Now {
    /// The accesses of each thread. The encoding has footprints.
    pub fn new(from: &SchedulerFacts<'_>, encoding: &mut Encoding) -> IndexVec<ThreadId, Self> {
        let mut result = IndexVec::new();
        let mut inputs = InputUse::default();
        for t in from.program.threads.ids() {
            let at = at_points(encoding, t);
            let Encoding { ts, points, threads, .. } = encoding;
            let regions = Regions::new(from.program, &points[t], t);
            let mut now = Self(BTreeMap::new());
            let Footprint { reads, writes, .. } = &threads[t].footprint;
            for (list, modes) in [(reads, &[Mode::Any][..]), (writes, &[Mode::Any, Mode::Write])] {
                for (&v, &condition) in list {
                    let condition = match inputs.depends(ts, condition) {
                        false => condition,
                        true => any(ts, regions.accessing(from, t, v).map(|k| at[k])),
                    };
                    modes.iter().for_each(|&mode| now.add(ts, Object::Var(v), mode, condition));
                }
            }
            for (item, writes) in regions.raced(from, t) {
                let touch = |e: EdgeId| {
                    let all = raced_items(from.program, from.facts, t, e);
                    all.into_iter().any(|(i, w)| i == item && (w || !writes))
                };
                let at = any(ts, regions.with(touch).map(|k| at[k]));
                let mode = if writes { Mode::Write } else { Mode::Any };
                now.add(ts, Object::Raced(item), mode, at);
            }
            let visible = regions.with(|e| from.patterns.is_visible(t, e));
            let visible = any(ts, visible.map(|k| at[k]));
            let enters = points[t].list().iter().zip(&at);
            let enters = enters.filter(|(l, _)| from.patterns.may_stay(t, **l)).map(|(_, &a)| a);
            let ends = regions.with(|e| from.patterns.ends_process(t, e)).map(|k| at[k]);
            let enters = any(ts, enters.chain(ends));
            for mode in [Mode::Any, Mode::Write] {
                now.add(ts, Object::Visible, mode, visible);
                now.add(ts, Object::Section, mode, enters);
            }
            if from.patterns.has_stays() {
                let always = ts.pool.bool(true);
                now.add(ts, Object::Section, Mode::Any, always);
            }
            result.push(now);
        }
        result
    }

    fn add(&mut self, ts: &mut TransitionSystem, object: Object, mode: Mode, condition: TsExpr) {
        if ts.pool.is_false(condition) {
            return;
        }
        let none = ts.pool.bool(false);
        let known = self.0.entry((object, mode)).or_insert(none);
        *known = ts.pool.or(*known, condition);
    }

    /// Whether the step may change what properties look at, or enters an atomic section in which
    /// that may happen at a later step.
    pub fn shows(&self, ts: &mut TransitionSystem) -> TsExpr {
        let writes = |object| self.0.get(&(object, Mode::Write)).copied();
        any(ts, [Object::Visible, Object::Section].into_iter().filter_map(writes))
    }

    /// The objects, each with how it may be accessed and when.
    pub fn list(&self) -> impl Iterator<Item = (Object, Mode, TsExpr)> + '_ {
        self.0.iter().map(|(&(object, mode), &condition)| (object, mode, condition))
    }

    /// Whether the next steps of two threads may depend on each other: one writes what the other
    /// accesses. It is symmetric.
    pub fn depends(&self, other: &Self, ts: &mut TransitionSystem) -> TsExpr {
        let mut result = ts.pool.bool(false);
        for (a, b) in [(self, other), (other, self)] {
            for (&(object, mode), &writes) in &a.0 {
                if let (Mode::Write, Some(&accesses)) = (mode, b.0.get(&(object, Mode::Any))) {
                    let both = ts.pool.and(writes, accesses);
                    result = ts.pool.or(result, both);
                }
            }
        }
        result
    }
}

/// For each scheduling point of a thread, whether it is there.
pub(super) fn at_points(encoding: &mut Encoding, thread: ThreadId) -> Vec<TsExpr> {
    let Encoding { ts, points, threads, .. } = encoding;
    let points = &points[thread];
    match threads[thread].pc {
        None => vec![ts.pool.bool(true)],
        Some(pc) => {
            let leaf = ts.states[pc].expr;
            let index = 0..points.list().len();
            index
                .map(|k| {
                    let value = ts.pool.constant(k as u128, points.width());
                    ts.pool.eq(leaf, value)
                })
                .collect()
        }
    }
}

/// The edges that the step from each scheduling point may take.
struct Regions(Vec<BTreeSet<EdgeId>>);

impl Regions {
    fn new(program: &Program, points: &Points, thread: ThreadId) -> Self {
        let t = &program.threads[thread];
        let region = |&start: &LocId| {
            let mut edges = BTreeSet::new();
            let mut work = vec![start];
            while let Some(loc) = work.pop() {
                for &e in points.outgoing(loc) {
                    if edges.insert(e) && points.index(t.edges[e].to).is_none() {
                        work.push(t.edges[e].to);
                    }
                }
            }
            edges
        };
        Self(points.list().iter().map(region).collect())
    }

    /// The points whose step may take such an edge.
    fn with(&self, wanted: impl Fn(EdgeId) -> bool) -> impl Iterator<Item = usize> {
        let regions = self.0.iter().enumerate();
        regions.filter(move |(_, r)| r.iter().any(|&e| wanted(e))).map(|(k, _)| k)
    }

    /// The items that threads may race for and this one accesses, with false, or writes, with true.
    fn raced(&self, from: &SchedulerFacts<'_>, t: ThreadId) -> BTreeSet<(Item, bool)> {
        let edges: BTreeSet<EdgeId> = self.0.iter().flatten().copied().collect();
        let all = edges.into_iter().flat_map(|e| raced_items(from.program, from.facts, t, e));
        all.flat_map(|(item, writes)| [(item, false), (item, writes)]).collect()
    }

    fn accessing(
        &self,
        from: &SchedulerFacts<'_>,
        t: ThreadId,
        v: VarId,
    ) -> impl Iterator<Item = usize> {
        self.with(move |e| {
            let mut found = false;
            from.facts.for_each_access(from.program, t, e, &mut |x, _| found |= x == v);
            found
        })
    }
}

/// Whether expressions depend on inputs.
#[derive(Default)]
struct InputUse(HashMap<TsExpr, bool>);

impl InputUse {
    fn depends(&mut self, ts: &TransitionSystem, root: TsExpr) -> bool {
        let mut stack = vec![(root, false)];
        while let Some((e, ready)) = stack.pop() {
            if self.0.contains_key(&e) {
                continue;
            }
            if let Node::Leaf(leaf) = ts.pool.node(e) {
                self.0.insert(e, matches!(leaf, TsLeaf::Input(_)));
            } else if ready {
                let depends = ts.pool.operands(e).any(|x| self.0[&x]);
                self.0.insert(e, depends);
            } else {
                stack.push((e, true));
                stack.extend(ts.pool.operands(e).map(|x| (x, false)));
            }
        }
        self.0[&root]
    }
}
