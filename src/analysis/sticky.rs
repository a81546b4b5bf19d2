//! Sticky locations: a set of locations of a thread that every endless run of it passes, so that a
//! reduction that lets all threads move there forgets none.
//!
//! A feedback vertex set of the thread's control-flow graph, chosen greedily. A loop that a local
//! variable counts up to a constant needs none: its counting edge is taken out of the graph first.

use std::collections::BTreeSet;

use crate::base::IndexVec;
use crate::expr::{Node, Op2, mask};
use crate::program::{
    AccessKind, EdgeId, Leaf, LocId, Program, Role, Scope, Target, ThreadId, VarId,
};

use super::facts::{Facts, Sharing};

/// The sticky locations of a thread. Every cycle of its graph must pass a `candidate`; only those
/// are chosen.
///
/// # Panics
/// If a cycle passes no candidate.
pub fn sticky(
    program: &Program,
    facts: &Facts,
    thread: ThreadId,
    candidates: &IndexVec<LocId, bool>,
) -> BTreeSet<LocId> {
    let mut finder = Finder {
        program,
        facts,
        thread,
        left: IndexVec::filled(true, program.threads[thread].locations.len()),
        counting: BTreeSet::new(),
        outgoing: facts.outgoing(program, thread),
    };
    let mut chosen = BTreeSet::new();
    let mut work = finder.components(&finder.outgoing.ids().collect::<Vec<_>>());
    while let Some(part) = work.pop() {
        if let Some(e) = finder.counting_edge(&part) {
            finder.counting.insert(e);
        } else {
            let best = finder.best(&part, candidates);
            chosen.insert(best);
            finder.left[best] = false;
        }
        work.extend(finder.components(&part));
    }
    chosen
}

struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
    thread: ThreadId,
    /// Locations that are not chosen.
    left: IndexVec<LocId, bool>,
    /// Counting edges of loops that end.
    counting: BTreeSet<EdgeId>,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
}

/// Most locations of a component in which every choice is tried out.
const MAX_TRIED: usize = 200;

impl Finder<'_> {
    /// The edges that are left, from a location.
    fn edges(&self, loc: LocId) -> impl Iterator<Item = (EdgeId, LocId)> + '_ {
        let edges = &self.program.threads[self.thread].edges;
        let left = self.outgoing[loc].iter().map(|&e| (e, edges[e].to));
        left.filter(|&(e, to)| !self.counting.contains(&e) && self.left[to])
    }

    /// The strongly connected components with a cycle among these locations. (R. Tarjan:
    /// Depth-first search and linear graph algorithms, SIAM J. Comput. 1972.)
    fn components(&self, locs: &[LocId]) -> Vec<Vec<LocId>> {
        let count = self.left.len();
        let mut inside = IndexVec::<LocId, bool>::filled(false, count);
        locs.iter().filter(|&&l| self.left[l]).for_each(|&l| inside[l] = true);
        let mut number = IndexVec::<LocId, usize>::filled(0, count);
        let mut low = number.clone();
        let mut on_stack = IndexVec::<LocId, bool>::filled(false, count);
        let (mut stack, mut next, mut found) = (vec![], 1, vec![]);
        for &root in locs.iter().filter(|&&l| self.left[l]) {
            let mut calls = vec![(root, 0usize)];
            while let Some((l, k)) = calls.pop() {
                if k == 0 {
                    if number[l] != 0 {
                        continue;
                    }
                    (number[l], low[l]) = (next, next);
                    next += 1;
                    stack.push(l);
                    on_stack[l] = true;
                }
                let targets: Vec<LocId> =
                    self.edges(l).map(|(_, to)| to).filter(|&to| inside[to]).collect();
                if let Some(done) = k.checked_sub(1) {
                    let child = targets[done];
                    if on_stack[child] {
                        low[l] = low[l].min(low[child]);
                    }
                }
                if k < targets.len() {
                    calls.push((l, k + 1));
                    calls.push((targets[k], 0));
                    continue;
                }
                if low[l] != number[l] {
                    continue;
                }
                let mut part = vec![];
                while let Some(m) = stack.pop() {
                    on_stack[m] = false;
                    part.push(m);
                    if m == l {
                        break;
                    }
                }
                part.sort();
                if part.len() > 1 || targets.contains(&l) {
                    found.push(part);
                }
            }
        }
        found
    }

    /// The location to choose in a component: best one after which no cycle is left, then one of
    /// the best rank, then the first.
    fn best(&self, part: &[LocId], candidates: &IndexVec<LocId, bool>) -> LocId {
        let score = |l: &LocId| {
            let cuts = part.len() <= MAX_TRIED && {
                let rest: Vec<LocId> = part.iter().copied().filter(|x| x != l).collect();
                self.components(&rest).is_empty()
            };
            (!cuts, self.rank(*l), *l)
        };
        let all = part.iter().copied().filter(|&l| candidates[l]);
        all.min_by_key(score).expect("every cycle passes a candidate")
    }

    /// Where many others wait for the thread in any case it costs least to be sticky.
    fn rank(&self, loc: LocId) -> u8 {
        use crate::program::Sync;
        let edges = &self.program.threads[self.thread].edges;
        let (mut shared, mut locks, mut unlocks) = (false, false, false);
        for &e in &self.outgoing[loc] {
            locks |= matches!(edges[e].sync, Sync::Lock | Sync::ReadLock | Sync::Take);
            unlocks |= matches!(edges[e].sync, Sync::Unlock | Sync::ReadUnlock | Sync::Post);
            self.facts.for_each_access(self.program, self.thread, e, &mut |v, kind| {
                let owner = self.program.vars[v].role == Role::MutexOwner;
                shared |= self.facts.sharing(v) == Sharing::Shared;
                locks |= owner && kind == AccessKind::Guard && !unlocks;
            });
        }
        match (unlocks, locks, shared) {
            (true, ..) => 3,
            (_, true, _) => 0,
            (_, _, true) => 1,
            _ => 2,
        }
    }

    /// An edge that counts a variable up, if no cycle through it goes on for ever: it is the only
    /// one of the component that writes the variable, which is the thread's own, and every cycle
    /// through it passes a location that goes on only while the variable is below a constant.
    fn counting_edge(&self, part: &[LocId]) -> Option<EdgeId> {
        let inside = |l: LocId| part.binary_search(&l).is_ok();
        let edges: Vec<EdgeId> = part
            .iter()
            .flat_map(|&l| self.edges(l))
            .filter(|&(_, to)| inside(to))
            .map(|(e, _)| e)
            .collect();
        let thread = &self.program.threads[self.thread];
        let writes = |e: EdgeId, v: VarId| {
            thread.edges[e].assigns.iter().any(|a| a.target == Target::Var(v))
        };
        edges.iter().copied().find(|&e| {
            thread.edges[e].assigns.iter().any(|a| {
                let Target::Var(v) = a.target else { return false };
                self.program.vars[v].scope == Scope::Local(self.thread)
                    && self.is_next(a.value, v)
                    && edges.iter().all(|&x| x == e || !writes(x, v))
                    && part.iter().any(|&h| self.tests(h, v, &edges) && self.cuts(part, h, e))
            })
        })
    }

    /// Whether the value is that of the variable plus one.
    fn is_next(&self, value: crate::program::ProgExpr, v: VarId) -> bool {
        let pool = &self.program.pool;
        let is_var = |e| matches!(pool.node(e), Node::Leaf(Leaf::Var(x)) if x == v);
        match pool.node(value) {
            Node::Op2(Op2::Add, a, b) => {
                (is_var(a) && pool.as_const(b) == Some(1))
                    || (is_var(b) && pool.as_const(a) == Some(1))
            }
            _ => false,
        }
    }

    /// Whether each of these edges that leaves `head` is taken only while the variable is below a
    /// constant that it can reach without a wrap.
    fn tests(&self, head: LocId, v: VarId, edges: &[EdgeId]) -> bool {
        let thread = &self.program.threads[self.thread];
        let mut own = edges.iter().filter(|&&e| thread.edges[e].from == head).peekable();
        own.peek().is_some() && own.all(|&e| self.is_bounded(e, v))
    }

    fn is_bounded(&self, e: EdgeId, v: VarId) -> bool {
        let pool = self.facts.guard_pool();
        let width = self.program.vars[v].width;
        let is_var = |e| matches!(pool.node(e), Node::Leaf(Leaf::Var(x)) if x == v);
        let most = |signed: bool| if signed { mask(width - 1) } else { mask(width) };
        let below = |op: Op2, a, b, negated: bool| {
            let signed = matches!(op, Op2::Slt | Op2::Sle);
            let strict = matches!(op, Op2::Slt | Op2::Ult) != negated;
            let (x, bound) = if negated { (b, a) } else { (a, b) };
            let known = matches!(op, Op2::Slt | Op2::Sle | Op2::Ult | Op2::Ule);
            known
                && is_var(x)
                && pool.as_const(bound).is_some_and(|c| {
                    // A negative bound is one that the variable passes on its way up.
                    let negative = signed && c > mask(width - 1);
                    negative || if strict { c <= most(signed) } else { c < most(signed) }
                })
        };
        let mut stack = vec![self.facts.guard(self.thread, e)];
        while let Some(x) = stack.pop() {
            let fits = match pool.node(x) {
                Node::Op2(Op2::And, a, b) => {
                    stack.extend([a, b]);
                    false
                }
                Node::Op2(op, a, b) => below(op, a, b, false),
                Node::Op1(crate::expr::Op1::Not, y) => match pool.node(y) {
                    Node::Op2(op, a, b) => below(op, a, b, true),
                    _ => false,
                },
                _ => false,
            };
            if fits {
                return true;
            }
        }
        false
    }

    /// Whether every cycle of the component through the edge passes `head`.
    fn cuts(&self, part: &[LocId], head: LocId, e: EdgeId) -> bool {
        let edge = &self.program.threads[self.thread].edges[e];
        let rest: Vec<LocId> = part.iter().copied().filter(|&l| l != head).collect();
        let together = |c: &Vec<LocId>| c.contains(&edge.from) && c.contains(&edge.to);
        !self.components(&rest).iter().any(together)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Budget, Id};
    use crate::program::build::{EdgeSpec, ProgramBuilder};

    /// The sticky locations of the only thread, any location being a candidate.
    fn found(program: &Program) -> BTreeSet<LocId> {
        let facts = Facts::new(program, &[], &[], &Budget::unlimited()).expect("no limit");
        let main = ThreadId::new(0);
        let all = IndexVec::filled(true, program.threads[main].locations.len());
        sticky(program, &facts, main, &all)
    }

    /// `for (i = 0; i < bound; i++) for (j = 0; j < 3; j++);` with `extra` after the inner loop.
    fn loops(bound: u128, extra: impl Fn(&mut ProgramBuilder, ThreadId, VarId)) -> Program {
        let mut b = ProgramBuilder::new(8);
        let main = b.thread("main");
        let i = b.local(main, "i", 4, 0);
        let j = b.local(main, "j", 4, 0);
        let outer = b.at(main);
        let (now, most) = (b.var(i), b.value_for(i, bound));
        let test = b.pool().op2(Op2::Ult, now, most);
        let (inside, out) = b.branch(main, test);
        b.go(main, inside);
        let zero = b.value_for(j, 0);
        b.set(main, j, zero);
        let inner = b.at(main);
        let (now, most) = (b.var(j), b.value_for(j, 3));
        let test = b.pool().op2(Op2::Ult, now, most);
        let (inside, after) = b.branch(main, test);
        b.go(main, inside);
        let next = b.plus(j, 1);
        let here = b.at(main);
        b.add(main, here, inner, EdgeSpec::new("j++").set(j, next));
        b.go(main, after);
        extra(&mut b, main, i);
        let next = b.plus(i, 1);
        let here = b.at(main);
        b.add(main, here, outer, EdgeSpec::new("i++").set(i, next));
        b.go(main, out);
        b.end(main);
        b.finish()
    }

    #[test]
    fn loops_that_are_counted_up_need_none() {
        assert!(found(&loops(5, |_, _, _| {})).is_empty());
    }

    #[test]
    fn other_loops_need_one() {
        // The counter may be set back.
        let program = loops(5, |b, t, i| {
            let zero = b.value_for(i, 0);
            b.set(t, i, zero);
        });
        assert_eq!(found(&program).len(), 1);
        // A way back that does not count.
        let program = loops(5, |b, t, i| {
            let is = b.has_value(i, 2);
            let (again, on) = b.branch(t, is);
            b.go(t, again);
            b.jump(t, LocId::new(0));
            b.go(t, on);
        });
        assert_eq!(found(&program).len(), 1);
    }

    #[test]
    fn every_cycle_passes_one() {
        // while (1) { while (c) ; }
        let mut b = ProgramBuilder::new(8);
        let main = b.thread("main");
        let c = b.shared("c", 1, 0);
        let outer = b.fresh(main);
        b.jump(main, outer);
        b.go(main, outer);
        let yes = b.has_value(c, 1);
        let (inner, out) = b.branch(main, yes);
        b.go(main, inner);
        let is = b.has_value(c, 1);
        let (again, done) = b.branch(main, is);
        b.go(main, again);
        b.jump(main, inner);
        b.go(main, done);
        b.jump(main, outer);
        b.go(main, out);
        b.jump(main, outer);
        let program = b.finish();
        let chosen = found(&program);
        let facts = Facts::new(&program, &[], &[], &Budget::unlimited()).expect("no limit");
        let outgoing = facts.outgoing(&program, main);
        let rest: Vec<LocId> = outgoing.ids().filter(|l| !chosen.contains(l)).collect();
        assert!(!super::super::sections::has_cycle(&program.threads[main], &outgoing, &rest));
        assert!(chosen.len() <= 2, "{chosen:?}");
    }
}
