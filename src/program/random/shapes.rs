//! The shapes of whole threads: how they begin and end, and what joins their parts.

use super::generator::{Generator, Theme};
use crate::base::Id;
use crate::program::build::EdgeSpec;
use crate::program::{LocId, LocKind, ProgExpr, Sync, ThreadId};

impl Generator<'_> {
    /// The code of all threads but `main`; now and then two have the same code.
    pub(super) fn workers(&mut self, threads: &[ThreadId]) {
        let mut before = self.rng.clone();
        for (k, &t) in threads.iter().enumerate() {
            let twin = k > 0 && self.rng.one_in(5);
            let here = self.rng.clone();
            if twin {
                *self.rng = before.clone();
            } else {
                before = here.clone();
            }
            self.left = self.share();
            self.beginning(t);
            self.block(t, 2);
            self.ending(t);
            if twin {
                *self.rng = here;
                self.rng.next_u64();
            }
        }
    }

    /// The code of `main`: creation of the other threads with little in between, then statements.
    pub(super) fn main(&mut self, t: ThreadId, others: &[ThreadId]) {
        if self.rng.one_in(4) {
            self.beginning(t);
        }
        for &other in others {
            match self.rng.below(6) {
                0 => self.store(t),
                1 => self.choose(t),
                // Whatever it is, it may well keep `main` from creating the rest.
                2 if self.rng.one_in(3) => self.statement(t, 2),
                _ => {}
            }
            self.create(t, other);
        }
        self.block(t, 2);
        if self.theme == Theme::Starts || self.rng.one_in(2) {
            self.probe(t);
        }
        let joins = if self.theme == Theme::Ends { 2 } else { self.rng.below(2) };
        for &other in others.iter().take(joins) {
            self.join(t, other);
        }
        if self.rng.one_in(2) {
            self.b.end_process(t);
        } else {
            self.end(t);
        }
    }

    /// What a thread may do first: the places where encodings merge steps.
    fn beginning(&mut self, t: ThreadId) {
        if self.theme == Theme::Starts {
            return self.writer(t);
        }
        match self.rng.below(9) {
            0..=2 if self.options.loops => {
                self.left += 2;
                self.any_loop(t, 1);
            }
            3 if self.options.loops => self.writer(t),
            4 => self.wait(t),
            5 => self.compute(t),
            6 => self.dead_code(t),
            _ => {}
        }
    }

    /// A loop that writes a few values to one variable, over and over.
    fn writer(&mut self, t: ThreadId) {
        let head = self.b.at(t);
        let c = self.continues(t);
        let (_, out) = self.b.branch(t, c);
        let x = *self.rng.pick(&self.shared);
        for _ in 0..2 + self.rng.below(2) {
            let value = self.rng.below(3) as u128;
            let value = self.b.value_for(x, value);
            self.b.set(t, x, value);
        }
        self.b.jump(t, head);
        self.b.go(t, out);
    }

    /// How a thread ends, if it does.
    fn ending(&mut self, t: ThreadId) {
        match self.rng.below(10) {
            0 if self.options.loops => {
                self.left += 1;
                self.for_ever(t, 1);
            }
            1 if self.options.loops => self.any_loop(t, 1),
            2 => self.probe(t),
            3 => {
                self.b.end_process(t);
                return;
            }
            _ => {}
        }
        self.end(t);
    }

    /// The end of the thread, with its result or with something that others see at once.
    fn end(&mut self, t: ThreadId) {
        let mut spec = EdgeSpec::new("end");
        if let Some(result) = self.results[t.index()] {
            let x = if !self.rng.one_in(3) { *self.rng.pick(&self.shared) } else { self.local(t) };
            let (x, width) = (self.b.var(x), self.b.program().vars[result].width);
            let value = self.b.pool().resize(x, width, false);
            spec = spec.set(result, value);
        } else if self.theme == Theme::Ends || self.rng.one_in(6) {
            let x = *self.rng.pick(&self.shared);
            let width = self.b.program().vars[x].width;
            let value = self.value(t, width, 1);
            spec = spec.set(x, value);
        }
        self.b.end_with(t, spec);
    }

    /// Loads one to three shared variables and asserts that they have not certain values: a state
    /// that the circuit loses or gains shows here, though nothing else looks at it.
    pub(super) fn probe(&mut self, t: ThreadId) {
        let mut all = self.b.pool().bool(true);
        for _ in 0..1 + self.rng.below(3) {
            let x = *self.rng.pick(&self.shared);
            let (name, width) = (self.name("seen"), self.b.program().vars[x].width);
            let seen = self.local_variable(t, &name, width, 0);
            let value = self.b.var(x);
            self.b.set(t, seen, value);
            let value = self.rng.below(1 << width.min(2)) as u128;
            let same = self.b.has_value(seen, value);
            all = self.b.pool().and(all, same);
        }
        let other = self.b.pool().not(all);
        let name = self.name("not seen ");
        self.assertion(t, other, &name);
    }

    /// A statement that no run, or hardly any, gets to.
    pub(super) fn dead_code(&mut self, t: ThreadId) {
        let after = self.b.fresh(t);
        match self.rng.below(3) {
            0 => {
                self.b.jump(t, after);
                let nowhere = self.b.fresh(t);
                self.b.go(t, nowhere);
            }
            1 => {
                let never = self.b.pool().bool(false);
                self.skip(t, never, after);
            }
            _ => {
                let v = self.local(t);
                let (v, zero) = (self.b.var(v), self.b.value_for(v, 0));
                let never = self.b.pool().op2(crate::expr::Op2::Ult, v, zero);
                self.skip(t, never, after);
            }
        }
        self.statement(t, 0);
        self.b.jump(t, after);
        self.b.go(t, after);
    }

    /// Goes on if the condition holds, else to `after`.
    fn skip(&mut self, t: ThreadId, c: ProgExpr, after: LocId) {
        let (_, no) = self.b.branch(t, c);
        self.b.add(t, no, after, EdgeSpec::new("skip"));
    }

    /// Gives one edge that is always taken a condition, and where that is false a way to anywhere
    /// in the thread: loops with several ways in, and code that has become dead.
    pub(super) fn rewire(&mut self, t: ThreadId) {
        let thread = self.b.program().threads[t].clone();
        let plain = |l: &LocId| {
            let loc = &thread.locations[*l];
            let start = t.index() != 0 && *l == thread.start;
            loc.kind == LocKind::Running && !loc.atomic && !start
        };
        let always = self.b.pool().bool(true);
        let edges: Vec<_> = thread
            .edges
            .iter_enumerated()
            .filter(|(_, e)| e.guard == always && e.sync == Sync::None && plain(&e.from))
            .filter(|(_, e)| {
                !thread.locations[e.from].blocking && thread.edges_from(e.from).count() == 1
            })
            .map(|(id, e)| (id, e.from))
            .collect();
        let targets: Vec<LocId> = thread.locations.ids().filter(plain).collect();
        if edges.is_empty() || targets.is_empty() {
            return;
        }
        let (edge, from) = *self.rng.pick(&edges);
        let to = *self.rng.pick(&targets);
        let c = self.condition(t);
        let not = self.b.pool().not(c);
        self.b.program().threads[t].edges[edge].guard = c;
        self.b.add(t, from, to, EdgeSpec::new("goto").guard(not));
    }
}
