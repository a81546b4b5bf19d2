//! Random programs that use locks mostly as they should be used: what transactions are made for.
//!
//! `main` writes some variables, creates the workers, perhaps works itself, joins most of them and
//! looks at the result. The workers' accesses are mostly inside critical sections of the mutex
//! that belongs to the variable, with nested sections, trylocks, branches, loops, choices,
//! assumptions and early ends in between.

use crate::base::{Id, Rng};
use crate::expr::Op2;
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::{
    Bound, LocKind, ProgExpr, Program, SiteKind, Status, Sync, ThreadId, Undefined, VarId,
};

/// What these programs are like.
#[derive(Clone, Debug)]
pub struct DisciplineOptions {
    /// Most workers, 1 to 3.
    pub workers: usize,
    /// Most statements of one worker.
    pub statements: usize,
    /// One in this many accesses is outside of its critical section; 0 for none.
    pub slips: usize,
    /// Whether there may be trylocks.
    pub trylocks: bool,
    /// Whether there may be loops that need not end.
    pub free_loops: bool,
}

impl Default for DisciplineOptions {
    fn default() -> Self {
        Self { workers: 3, statements: 8, slips: 12, trylocks: true, free_loops: true }
    }
}

/// A random program; it is a function of the generator's state and the options.
pub fn random_disciplined(rng: &mut Rng, options: &DisciplineOptions) -> Program {
    let mut this = Maker {
        b: ProgramBuilder::new(4),
        rng,
        options,
        pairs: vec![],
        locals: vec![],
        held: vec![],
        left: 0,
        names: 0,
    };
    this.make();
    this.b.finish()
}

struct Maker<'a> {
    b: ProgramBuilder,
    rng: &'a mut Rng,
    options: &'a DisciplineOptions,
    /// Mutexes and the variables that belong to them.
    pairs: Vec<(VarId, Vec<VarId>)>,
    /// One local of each thread.
    locals: Vec<VarId>,
    /// Positions of mutexes that the current thread holds at the cursor.
    held: Vec<usize>,
    left: usize,
    names: usize,
}

impl Maker<'_> {
    fn make(&mut self) {
        let workers = 1 + self.rng.below(self.options.workers.clamp(1, 3));
        let threads: Vec<ThreadId> =
            (0..=workers).map(|k| self.b.thread(&format!("t{k}"))).collect();
        for k in 0..1 + self.rng.below(2) {
            let mutex = self.b.mutex(&format!("m{k}"));
            let count = 1 + self.rng.below(2);
            let vars = (0..count).map(|j| self.b.shared(&format!("x{k}{j}"), 2, 0)).collect();
            self.pairs.push((mutex, vars));
        }
        for &t in &threads {
            let local = self.b.local(t, &format!("T{}.l", t.index()), 2, 0);
            self.locals.push(local);
        }
        for &t in &threads[1..] {
            if self.rng.one_in(6) {
                self.b.reusable(t);
            }
        }
        for &t in &threads[1..] {
            self.left = 1 + self.rng.below(self.options.statements);
            self.block(t, 2);
            self.b.end(t);
            self.held.clear();
        }
        self.main(threads[0], &threads[1..]);
    }

    fn main(&mut self, t: ThreadId, workers: &[ThreadId]) {
        for &w in workers {
            self.left = 1;
            if self.rng.one_in(3) {
                self.access(t);
            }
            self.create(t, w);
            if self.rng.one_in(6) {
                self.join(t, w);
            }
        }
        if self.rng.one_in(3) {
            self.left = 2;
            self.block(t, 1);
        }
        for &w in workers {
            if !self.rng.one_in(5) {
                self.join(t, w);
            }
        }
        for _ in 0..1 + self.rng.below(2) {
            let v = self.any_shared();
            let c = self.compare(t, v);
            self.assert(t, c);
        }
        if self.rng.one_in(2) {
            self.b.end_process(t);
        } else {
            self.b.end(t);
        }
        self.held.clear();
    }

    fn block(&mut self, t: ThreadId, depth: usize) {
        loop {
            self.statement(t, depth);
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || (depth < 2 && self.rng.one_in(3)) {
                break;
            }
        }
    }

    fn statement(&mut self, t: ThreadId, depth: usize) {
        match self.rng.below(14) {
            0..=4 if depth > 0 => self.section(t, depth - 1),
            5 if depth > 0 => self.branch(t, depth - 1),
            6 if depth > 0 => self.repeat(t, depth - 1),
            0..=7 => self.access(t),
            8 | 9 => self.compute(t),
            10 => self.choose(t),
            11 => {
                let local = self.locals[t.index()];
                let c = self.compare(t, local);
                self.assert(t, c);
            }
            12 if self.rng.one_in(3) => {
                let local = self.locals[t.index()];
                let c = self.compare(t, local);
                self.b.assume(t, c);
            }
            13 if self.rng.one_in(3) => self.leave_early(t),
            _ => self.access(t),
        }
    }

    /// `lock; ...; unlock`, with the lock perhaps only tried.
    fn section(&mut self, t: ThreadId, depth: usize) {
        let free: Vec<usize> = (0..self.pairs.len()).filter(|k| !self.held.contains(k)).collect();
        if free.is_empty() {
            return self.access(t);
        }
        let k = *self.rng.pick(&free);
        let mutex = self.pairs[k].0;
        let skip = (self.options.trylocks && self.rng.one_in(8)).then(|| self.try_lock(t, mutex));
        if skip.is_none() {
            self.b.lock(t, mutex);
        }
        self.held.push(k);
        self.block(t, depth);
        self.held.retain(|&h| h != k);
        if self.rng.one_in(2) {
            self.unlock_checked(t, mutex)
        } else {
            self.b.unlock(t, mutex);
        }
        if let Some(from) = skip {
            let free = self.b.has_value(mutex, 0);
            let busy = self.b.pool().not(free);
            let spec = EdgeSpec::new("trylock fails").guard(busy).atomic_access();
            self.b.add(t, from, self.b.at(t), spec);
        }
    }

    /// The edge for success; where the attempt is made.
    fn try_lock(&mut self, t: ThreadId, mutex: VarId) -> crate::program::LocId {
        let from = self.b.at(t);
        let (free, mine) = (self.b.has_value(mutex, 0), self.b.owner(t));
        let spec = EdgeSpec::new("trylock").guard(free).set(mutex, mine);
        self.b.next(t, spec.sync(Sync::Lock).atomic_access());
        from
    }

    fn unlock_checked(&mut self, t: ThreadId, mutex: VarId) {
        let (mine, owner) = (self.b.owner(t), self.b.var(mutex));
        let is_owner = self.b.pool().eq(owner, mine);
        let not = self.b.pool().not(is_owner);
        let spec = EdgeSpec::new("unlock").guard(not).atomic_access();
        self.site(t, SiteKind::Undefined(Undefined::MutexMisuse), spec);
        let free = self.b.value_for(mutex, 0);
        let spec = EdgeSpec::new("unlock").guard(is_owner).set(mutex, free);
        self.b.next(t, spec.sync(Sync::Unlock).atomic_access());
    }

    fn branch(&mut self, t: ThreadId, depth: usize) {
        let local = self.locals[t.index()];
        let c = self.compare(t, local);
        let (_, no) = self.b.branch(t, c);
        self.block(t, depth);
        let after = self.b.at(t);
        self.b.go(t, no);
        if self.rng.one_in(2) {
            self.block(t, depth);
        }
        self.b.jump(t, after);
        self.b.go(t, after);
    }

    /// A loop of two rounds, or one that ends when a local says so.
    fn repeat(&mut self, t: ThreadId, depth: usize) {
        let (counter, more) = if self.options.free_loops && self.rng.one_in(2) {
            (None, None)
        } else {
            self.names += 1;
            let name = format!("T{}.c{}", t.index(), self.names);
            let counter = self.b.local(t, &name, 2, 0);
            let zero = self.b.value_for(counter, 0);
            self.b.set(t, counter, zero);
            let (c, two) = (self.b.var(counter), self.b.value_for(counter, 2));
            (Some(counter), Some(self.b.pool().op2(Op2::Ult, c, two)))
        };
        let head = self.b.fresh(t);
        self.b.jump(t, head);
        self.b.go(t, head);
        let local = self.locals[t.index()];
        let more = more.unwrap_or_else(|| self.compare(t, local));
        let (_, out) = self.b.branch(t, more);
        self.block(t, depth);
        match counter {
            Some(counter) => {
                let next = self.b.plus(counter, 1);
                self.b.add(t, self.b.at(t), head, EdgeSpec::new("c++").set(counter, next));
            }
            None => {
                self.b.jump(t, head);
            }
        }
        self.b.go(t, out);
    }

    /// A load, a store or an atomic update of a variable that the thread may access.
    fn access(&mut self, t: ThreadId) {
        let slips = self.options.slips > 0 && self.rng.one_in(self.options.slips);
        let v = match self.held.is_empty() {
            false if !slips => {
                let k = *self.rng.pick(&self.held);
                *self.rng.pick(&self.pairs[k].1)
            }
            true if !slips && !self.rng.one_in(3) => return self.compute(t),
            _ => self.any_shared(),
        };
        let l = self.locals[t.index()];
        match self.rng.below(3) {
            0 => {
                let value = self.b.var(v);
                self.b.set(t, l, value);
            }
            1 => {
                let value = self.b.var(l);
                self.b.set(t, v, value);
            }
            _ => {
                let next = self.b.plus(v, 1);
                self.b.next(t, EdgeSpec::new("x++").set(v, next).atomic_access());
            }
        }
    }

    fn compute(&mut self, t: ThreadId) {
        let l = self.locals[t.index()];
        let by = 1 + self.rng.below(3) as u128;
        let next = self.b.plus(l, by);
        self.b.set(t, l, next);
    }

    fn choose(&mut self, t: ThreadId) {
        self.names += 1;
        let input = self.b.input(&format!("n{}", self.names), 1);
        let value = self.b.program().input(input);
        let value = self.b.pool().zero_extend(value, 2);
        let l = self.locals[t.index()];
        self.b.set(t, l, value);
    }

    /// The thread ends under a condition, with what it holds.
    fn leave_early(&mut self, t: ThreadId) {
        let local = self.locals[t.index()];
        let c = self.compare(t, local);
        let (_, no) = self.b.branch(t, c);
        if self.rng.one_in(2) {
            self.b.end(t);
        } else {
            self.b.end_process(t);
        }
        self.b.go(t, no);
    }

    fn any_shared(&mut self) -> VarId {
        let k = self.rng.below(self.pairs.len());
        *self.rng.pick(&self.pairs[k].1)
    }

    fn compare(&mut self, _: ThreadId, v: VarId) -> ProgExpr {
        let value = self.rng.below(4) as u128;
        let is = self.b.has_value(v, value);
        if self.rng.one_in(2) { is } else { self.b.pool().not(is) }
    }

    fn assert(&mut self, t: ThreadId, c: ProgExpr) {
        self.names += 1;
        let name = format!("property{}", self.names);
        self.b.assert(t, c, &name);
    }

    fn create(&mut self, t: ThreadId, other: ThreadId) {
        let status = self.b.program().threads[other].status;
        let free = self.b.has_value(status, Status::FREE);
        let busy = self.b.pool().not(free);
        let spec = EdgeSpec::new("create").guard(busy).atomic_access();
        self.site(t, SiteKind::Bound(Bound::Threads), spec);
        let running = self.b.value_for(status, Status::RUNNING);
        let spec = EdgeSpec::new("create").guard(free).set(status, running);
        self.b.next(t, spec.sync(Sync::Create(other)).atomic_access());
    }

    /// As the C front end joins: blocking, with a site for a thread that is free.
    fn join(&mut self, t: ThreadId, other: ThreadId) {
        let status = self.b.program().threads[other].status;
        let (free, ended) =
            (self.b.has_value(status, Status::FREE), self.b.has_value(status, Status::ENDED));
        let from = self.b.at(t);
        let spec = EdgeSpec::new("join").guard(free).atomic_access();
        self.site(t, SiteKind::Undefined(Undefined::InvalidThread), spec);
        self.b.program().threads[t].locations[from].blocking = true;
        let mut spec = EdgeSpec::new("join").guard(ended).sync(Sync::Join(other));
        if self.b.program().threads[other].reusable || self.rng.one_in(2) {
            let value = self.b.value_for(status, Status::FREE);
            spec = spec.set(status, value);
        }
        self.b.next(t, spec.atomic_access());
    }

    fn site(&mut self, t: ThreadId, kind: SiteKind, spec: EdgeSpec) {
        self.names += 1;
        let site = self.b.site(kind, &format!("site{}", self.names));
        self.b.leave(t, LocKind::Stopped, spec.site(site));
    }
}
