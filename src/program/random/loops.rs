//! Random loops, and what leaves them.

use super::generator::Generator;
use crate::expr::Op2;
use crate::program::build::EdgeSpec;
use crate::program::{LocId, ProgExpr, ThreadId};

/// A loop around the cursor.
#[derive(Clone, Copy)]
pub(super) struct Loop {
    /// Where a round begins.
    head: LocId,
    /// Where execution goes on after it.
    out: LocId,
    /// Whether it is inside an atomic section.
    atomic: bool,
}

impl Generator<'_> {
    /// A loop; all but the simplest have a block as their body.
    pub(super) fn any_loop(&mut self, t: ThreadId, depth: usize) {
        match self.rng.below(9) {
            0 | 1 => self.bounded_loop(t, depth),
            2 | 3 => self.while_loop(t, depth),
            4 => self.do_loop(t, depth),
            5 => self.nested_loops(t, depth),
            6 => self.local_loop(t),
            7 => self.spin(t),
            _ => self.left_in_the_middle(t, depth),
        }
    }

    /// The body of a loop, from the cursor on.
    fn body(&mut self, t: ThreadId, depth: usize, head: LocId, out: LocId) {
        let atomic = self.b.is_atomic(t);
        self.loops.push(Loop { head, out, atomic });
        self.block(t, depth);
        self.loops.pop();
    }

    /// Whether another round follows; often this does not change any more.
    pub(super) fn continues(&mut self, t: ThreadId) -> ProgExpr {
        match self.rng.below(6) {
            0 => self.b.pool().bool(true),
            1..=3 => self.shared_condition(t),
            _ => self.condition(t),
        }
    }

    /// A loop of one to three rounds.
    fn bounded_loop(&mut self, t: ThreadId, depth: usize) {
        let name = self.name("c");
        let counter = self.local_variable(t, &name, 2, 0);
        let zero = self.b.value_for(counter, 0);
        self.b.set(t, counter, zero);
        let head = self.b.at(t);
        let (c, rounds) = (self.b.var(counter), 1 + self.rng.below(3) as u128);
        let rounds = self.b.value_for(counter, rounds);
        let more = self.b.pool().op2(Op2::Ult, c, rounds);
        let (_, out) = self.b.branch(t, more);
        self.body(t, depth, head, out);
        let next = self.b.plus(counter, 1);
        self.b.add(t, self.b.at(t), head, EdgeSpec::new("c++").set(counter, next));
        self.b.go(t, out);
    }

    /// `while (c) body`.
    fn while_loop(&mut self, t: ThreadId, depth: usize) {
        let head = self.b.at(t);
        let c = self.continues(t);
        let (_, out) = self.b.branch(t, c);
        self.body(t, depth, head, out);
        self.b.jump(t, head);
        self.b.go(t, out);
    }

    /// `do body while (c)`.
    fn do_loop(&mut self, t: ThreadId, depth: usize) {
        let (head, out) = (self.b.at(t), self.b.fresh(t));
        self.body(t, depth, head, out);
        let c = self.continues(t);
        self.back_or_on(t, c, head, out);
    }

    /// Edges from the cursor to `head` if the condition holds, else to `out`, which is the cursor
    /// then.
    fn back_or_on(&mut self, t: ThreadId, c: ProgExpr, head: LocId, out: LocId) {
        let not = self.b.pool().not(c);
        let from = self.b.at(t);
        self.b.add(t, from, head, EdgeSpec::new("again").guard(c));
        self.b.add(t, from, out, EdgeSpec::new("done").guard(not));
        self.b.go(t, out);
    }

    /// `do while (c) body while (d)`: both have the same head.
    fn nested_loops(&mut self, t: ThreadId, depth: usize) {
        let (head, out) = (self.b.at(t), self.b.fresh(t));
        let c = self.continues(t);
        let (_, bottom) = self.b.branch(t, c);
        self.body(t, depth, head, bottom);
        self.b.jump(t, head);
        self.b.go(t, bottom);
        let d = self.continues(t);
        self.back_or_on(t, d, head, out);
    }

    /// `for (;;) { body if (c) break; body }`.
    fn left_in_the_middle(&mut self, t: ThreadId, depth: usize) {
        let (head, out) = (self.b.at(t), self.b.fresh(t));
        self.body(t, depth, head, out);
        let (c, on) = (self.continues(t), self.b.fresh(t));
        self.back_or_on(t, c, out, on);
        self.body(t, depth, head, out);
        self.b.jump(t, head);
        self.b.go(t, out);
    }

    /// A loop that touches nothing shared.
    fn local_loop(&mut self, t: ThreadId) {
        let head = self.b.at(t);
        let c = self.condition(t);
        let (_, out) = self.b.branch(t, c);
        if self.rng.one_in(2) {
            self.compute(t);
        } else {
            self.choose(t);
        }
        self.b.jump(t, head);
        self.b.go(t, out);
    }

    /// A loop of one edge, with an assignment to a local or without.
    fn spin(&mut self, t: ThreadId) {
        let (head, out) = (self.b.at(t), self.b.fresh(t));
        let c = if self.rng.one_in(3) { self.condition(t) } else { self.shared_condition(t) };
        let not = self.b.pool().not(c);
        let mut spec = EdgeSpec::new("spin").guard(c);
        if self.rng.one_in(2) {
            let v = self.local(t);
            let next = self.b.plus(v, 1);
            spec = spec.set(v, next);
        }
        self.b.add(t, head, head, spec);
        self.b.add(t, head, out, EdgeSpec::new("done").guard(not));
        self.b.go(t, out);
    }

    /// A loop without a way out but `break`, from which the thread ends.
    pub(super) fn for_ever(&mut self, t: ThreadId, depth: usize) {
        let (head, out) = (self.b.at(t), self.b.fresh(t));
        self.body(t, depth, head, out);
        self.b.jump(t, head);
        self.b.go(t, out);
    }

    /// `if (c) break` or `if (c) continue`, of a loop around the cursor.
    pub(super) fn leave_round(&mut self, t: ThreadId) {
        let around = *self.rng.pick(&self.loops);
        if around.atomic != self.b.is_atomic(t) {
            return self.compute(t);
        }
        let to = if self.rng.one_in(2) { around.out } else { around.head };
        let (c, on) = (self.condition(t), self.b.fresh(t));
        self.back_or_on(t, c, to, on);
    }
}
