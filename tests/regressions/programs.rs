//! The small programs of REDUCTION.md (R1 to R31), and some more of their kind.

use latchwork::analysis::points_to;
use latchwork::expr::Op2;
use latchwork::program::build::{EdgeSpec, ProgramBuilder};
use latchwork::program::{LocId, LocKind, Program, Role, Status, Sync, ThreadId, VarId, validate};

/// A program under construction: shared variables x, y, z, mutexes m and n, and threads that all
/// run from the start, each with a local l.
pub struct Make {
    pub b: ProgramBuilder,
    pub x: VarId,
    pub y: VarId,
    pub z: VarId,
    pub m: VarId,
    pub n: VarId,
    pub threads: Vec<ThreadId>,
    pub locals: Vec<VarId>,
}

impl Make {
    pub fn new(threads: usize) -> Self {
        let mut b = ProgramBuilder::new(4);
        let [x, y, z] = ["x", "y", "z"].map(|name| b.shared(name, 2, 0));
        let [m, n] = ["m", "n"].map(|name| b.mutex(name));
        let threads: Vec<ThreadId> = (0..threads).map(|k| b.thread(&format!("T{k}"))).collect();
        for &t in &threads[1..] {
            let status = b.program().threads[t].status;
            b.program().vars[status].init = Status::RUNNING;
        }
        let locals = threads.iter().map(|&t| b.local(t, &format!("{t:?}.l"), 2, 0)).collect();
        Self { b, x, y, z, m, n, threads, locals }
    }

    pub fn t(&self, k: usize) -> ThreadId {
        self.threads[k]
    }

    pub fn set(&mut self, k: usize, v: VarId, value: u128) {
        let value = self.b.value_for(v, value);
        self.b.set(self.t(k), v, value);
    }

    pub fn load(&mut self, k: usize, v: VarId) {
        let value = self.b.var(v);
        self.b.set(self.t(k), self.locals[k], value);
    }

    fn assert(&mut self, k: usize, value: u128) {
        let c = self.b.has_value(self.locals[k], value);
        self.b.assert(self.t(k), c, "l");
    }

    /// `l = v; assert(l == value)`.
    pub fn check(&mut self, k: usize, v: VarId, value: u128) {
        self.load(k, v);
        self.assert(k, value);
    }

    /// `l = v; assert(l != value)`.
    fn never_sees(&mut self, k: usize, v: VarId, value: u128) {
        self.load(k, v);
        let is = self.b.has_value(self.locals[k], value);
        let c = self.b.pool().not(is);
        self.b.assert(self.t(k), c, "l");
    }

    fn await_value(&mut self, k: usize, v: VarId, value: u128) {
        let c = self.b.has_value(v, value);
        self.b.wait(self.t(k), EdgeSpec::new("await").guard(c));
    }

    /// `while (1);`
    fn spin(&mut self, k: usize) {
        let here = self.b.fresh(self.t(k));
        self.b.jump(self.t(k), here);
        self.b.go(self.t(k), here);
        self.b.jump(self.t(k), here);
    }

    /// `assume(0)`, the one that waits.
    fn never(&mut self, k: usize) {
        let never = self.b.pool().bool(false);
        self.b.wait(self.t(k), EdgeSpec::new("never").guard(never));
        self.end(k);
    }

    fn lock(&mut self, k: usize, m: VarId) {
        self.b.lock(self.t(k), m);
    }

    fn unlock(&mut self, k: usize, m: VarId) {
        self.b.unlock(self.t(k), m);
    }

    pub fn end(&mut self, k: usize) {
        self.b.end(self.t(k));
    }

    /// `lock m; x = 1; unlock m`.
    fn store_under_lock(&mut self, k: usize) {
        self.lock(k, self.m);
        self.set(k, self.x, 1);
        self.unlock(k, self.m);
    }

    /// `v = v + value`, as one step.
    fn add_const(&mut self, k: usize, v: VarId, value: u128) {
        let sum = self.b.plus(v, value);
        self.b.next(self.t(k), EdgeSpec::new("v += c").set(v, sum).atomic_access());
    }

    /// `v = v + w`, as one step.
    fn add_var(&mut self, k: usize, v: VarId, w: VarId) {
        let (a, b) = (self.b.var(v), self.b.var(w));
        let sum = self.b.pool().op2(Op2::Add, a, b);
        self.b.next(self.t(k), EdgeSpec::new("v += w").set(v, sum).atomic_access());
    }

    /// `lock m; l = v; v = l + value; unlock m`.
    fn add_under_lock(&mut self, k: usize, v: VarId, value: u128) {
        self.lock(k, self.m);
        self.load(k, v);
        let sum = self.b.plus(self.locals[k], value);
        self.b.set(self.t(k), v, sum);
        self.unlock(k, self.m);
    }

    /// `lock m; l = x; assert l == 0; unlock m`.
    fn check_under_lock(&mut self, k: usize) {
        self.lock(k, self.m);
        self.check(k, self.x, 0);
        self.unlock(k, self.m);
        self.end(k);
    }

    pub fn finish(self) -> Program {
        let mut program = self.b.finish();
        points_to(&mut program);
        validate(&program).expect("valid");
        program
    }
}

/// The programs with their names.
pub fn programs() -> Vec<(&'static str, Program)> {
    type Build = fn(&mut Make);
    let list: [(&'static str, usize, Build); 42] = [
        ("R1", 2, |p| {
            p.end(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R2", 3, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.await_value(1, p.y, 1);
            p.check(1, p.x, 1);
            p.end(1);
            p.set(2, p.y, 1);
            p.end(2);
        }),
        ("R3", 2, |p| {
            p.lock(0, p.m);
            p.set(0, p.y, 1);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            p.await_value(1, p.y, 1);
            let input = p.b.input("c", 1);
            let c = p.b.program().input(input);
            let wide = p.b.pool().zero_extend(c, 2);
            p.b.set(p.t(1), p.locals[1], wide);
            let c = p.b.has_value(p.locals[1], 1);
            let (_, no) = p.b.branch(p.t(1), c);
            p.lock(1, p.m);
            p.unlock(1, p.m);
            let after = p.b.at(p.t(1));
            p.b.go(p.t(1), no);
            p.b.jump(p.t(1), after);
            p.b.go(p.t(1), after);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R4", 2, |p| {
            let c = p.b.has_value(p.locals[0], 1);
            let (_, no) = p.b.branch(p.t(0), c);
            p.lock(0, p.m);
            let after = p.b.at(p.t(0));
            p.b.go(p.t(0), no);
            p.b.jump(p.t(0), after);
            p.b.go(p.t(0), after);
            p.check(0, p.x, 0);
            p.end(0);
            p.store_under_lock(1);
            p.end(1);
        }),
        ("R5", 2, |p| {
            p.lock(0, p.m);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            let busy = try_lock(p, 1);
            let after = p.b.at(p.t(1));
            p.b.go(p.t(1), busy);
            p.b.jump(p.t(1), after);
            p.b.go(p.t(1), after);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R6", 2, |p| {
            p.lock(0, p.m);
            p.set(0, p.y, 1);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            p.set(1, p.locals[1], 1);
            p.await_value(1, p.y, 1);
            lock_by_number(p, 1);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R7", 2, |p| {
            let readers = p.b.shared("readers", 2, 0);
            p.b.program().vars[readers].role = Role::Readers;
            read_lock(p, 0, readers);
            p.set(0, p.y, 1);
            p.check(0, p.x, 0);
            p.end(0);
            p.await_value(1, p.y, 1);
            read_lock(p, 1, readers);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("readers keep a writer out", 2, |p| {
            let readers = p.b.shared("readers", 2, 0);
            p.b.program().vars[readers].role = Role::Readers;
            read_lock(p, 0, readers);
            p.check(0, p.x, 0);
            p.check(0, p.x, 0);
            read_unlock(p, 0, readers);
            p.end(0);
            write_lock(p, 1, readers);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R10b", 2, |p| {
            let here = p.b.fresh(p.t(0));
            p.b.jump(p.t(0), here);
            p.b.go(p.t(0), here);
            let is = p.b.has_value(p.y, 1);
            let (out, again) = p.b.branch(p.t(0), is);
            p.b.go(p.t(0), again);
            p.b.jump(p.t(0), here);
            p.b.go(p.t(0), out);
            p.end(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R12", 2, |p| {
            for k in 0..2 {
                p.set(k, p.locals[k], 1);
                // Like increments, writes of the same value commute, and race.
                let one = p.b.value_for(p.x, 1);
                p.b.next(p.t(k), EdgeSpec::new("x++").set(p.x, one));
                p.end(k);
            }
        }),
        ("R19b", 2, |p| {
            p.store_under_lock(0);
            p.end(0);
            p.lock(1, p.n);
            p.set(1, p.x, 0);
            p.unlock(1, p.n);
            p.end(1);
        }),
        ("R24", 3, |p| {
            p.set(0, p.z, 1);
            p.load(0, p.x);
            p.end(0);
            let here = p.b.fresh(p.t(1));
            p.b.jump(p.t(1), here);
            p.b.go(p.t(1), here);
            p.set(1, p.locals[1], 0);
            let is = p.b.has_value(p.z, 1);
            let (out, again) = p.b.branch(p.t(1), is);
            p.b.go(p.t(1), again);
            p.b.jump(p.t(1), here);
            p.b.go(p.t(1), out);
            p.set(1, p.y, 1);
            p.end(1);
            p.set(2, p.x, 1);
            p.end(2);
        }),
        ("R27", 2, |p| {
            p.lock(0, p.m);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            p.unlock(1, p.m);
            p.lock(1, p.m);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R28", 2, |p| {
            let here = p.b.fresh(p.t(0));
            p.b.jump(p.t(0), here);
            p.b.go(p.t(0), here);
            p.set(0, p.locals[0], 1);
            p.b.jump(p.t(0), here);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("a section in which a thread waits", 2, |p| {
            p.b.atomic_begin(p.t(0));
            p.never(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("sums of two threads and a look", 3, |p| {
            for k in 0..2 {
                p.add_under_lock(k, p.x, 1);
                p.end(k);
            }
            p.lock(2, p.m);
            p.check(2, p.x, 0);
            p.check(2, p.x, 2);
            p.unlock(2, p.m);
            p.end(2);
        }),
        ("a sum and a store", 3, |p| {
            p.add_under_lock(0, p.x, 1);
            p.end(0);
            p.store_under_lock(1);
            p.end(1);
            p.await_value(2, p.m, 0);
            p.check(2, p.x, 1);
            p.end(2);
        }),
        ("sums of what grows", 3, |p| {
            for k in 0..2 {
                p.lock(k, p.m);
                p.add_var(k, p.x, p.y);
                p.add_const(k, p.y, 1);
                p.unlock(k, p.m);
                p.end(k);
            }
            p.await_value(2, p.y, 2);
            p.check(2, p.x, 0);
            p.end(2);
        }),
        ("a sum that is seen in the middle", 3, |p| {
            p.add_under_lock(0, p.x, 1);
            p.add_under_lock(0, p.x, 2);
            p.end(0);
            p.add_under_lock(1, p.x, 1);
            p.check(1, p.x, 3);
            p.end(1);
            p.add_under_lock(2, p.x, 3);
            p.end(2);
        }),
        ("sums whose old value is kept", 2, |p| {
            for k in 0..2 {
                let (old, sum) = (p.b.var(p.x), p.b.plus(p.x, 1));
                let spec = EdgeSpec::new("l = x++").set(p.locals[k], old).set(p.x, sum);
                p.b.next(p.t(k), spec.atomic_access());
                p.assert(k, 0);
                p.end(k);
            }
        }),
        ("a sum of the variable itself", 2, |p| {
            p.b.program().vars[p.x].init = 1;
            p.add_var(0, p.x, p.x);
            p.never_sees(0, p.x, 0);
            p.end(0);
            p.add_const(1, p.x, 1);
            p.end(1);
        }),
        ("the lowest bit is no sum", 2, |p| {
            p.b.program().vars[p.x].init = 2;
            let x = p.b.var(p.x);
            let bit = p.b.pool().extract(x, 0, 1);
            let bit = p.b.pool().zero_extend(bit, 2);
            p.b.next(p.t(0), EdgeSpec::new("x &= 1").set(p.x, bit).atomic_access());
            p.never_sees(0, p.x, 2);
            p.end(0);
            p.add_const(1, p.x, 1);
            p.end(1);
        }),
        ("a difference", 2, |p| {
            let (x, one) = (p.b.var(p.x), p.b.value_for(p.x, 1));
            let less = p.b.pool().op2(Op2::Sub, x, one);
            p.b.next(p.t(0), EdgeSpec::new("x--").set(p.x, less).atomic_access());
            p.never_sees(0, p.x, 1);
            p.end(0);
            p.add_const(1, p.x, 1);
            p.never_sees(1, p.x, 0);
            p.end(1);
        }),
        ("a discard beside a loop", 2, |p| {
            p.b.leave(p.t(0), LocKind::Discarded, EdgeSpec::new("assume").sync(Sync::Discard));
            p.set(1, p.x, 1);
            p.spin(1);
        }),
        ("the end of the process beside a store", 2, |p| {
            p.b.end_process(p.t(0));
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R8", 2, |p| {
            p.spin(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R10", 3, |p| {
            p.end(0);
            p.spin(1);
            p.assert(2, 1);
            p.end(2);
        }),
        ("R11", 2, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.set(1, p.y, 1);
            p.end(1);
        }),
        ("R13", 3, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.set(1, p.y, 1);
            p.end(1);
            p.check(2, p.x, 0);
            p.end(2);
        }),
        ("R14", 2, |p| {
            p.store_under_lock(0);
            p.spin(0);
            p.check_under_lock(1);
        }),
        ("R15", 2, |p| {
            p.store_under_lock(0);
            p.never(0);
            p.check_under_lock(1);
        }),
        ("R16", 2, |p| {
            p.store_under_lock(0);
            p.end(0);
            p.check_under_lock(1);
        }),
        ("R17", 2, |p| {
            p.store_under_lock(0);
            p.end(0);
            p.check(1, p.x, 1);
            p.end(1);
        }),
        ("R18", 2, |p| {
            p.lock(0, p.m);
            p.never(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R19", 2, |p| {
            for (k, [a, b]) in [[p.m, p.n], [p.n, p.m]].into_iter().enumerate() {
                p.lock(k, a);
                p.lock(k, b);
                p.check(k, p.x, 0);
                p.set(k, p.x, 1);
                p.unlock(k, b);
                p.unlock(k, a);
                p.end(k);
            }
        }),
        ("R20", 2, |p| {
            p.b.atomic_begin(p.t(0));
            p.set(0, p.x, 1);
            p.b.leave(p.t(0), LocKind::Discarded, EdgeSpec::new("assume").sync(Sync::Discard));
            p.assert(1, 1);
            p.end(1);
        }),
        ("R21", 2, |p| {
            p.set(0, p.x, 1);
            p.b.leave(p.t(0), LocKind::Discarded, EdgeSpec::new("assume").sync(Sync::Discard));
            p.check(1, p.x, 0);
            p.end(1);
        }),
        ("R22", 2, |p| {
            p.lock(0, p.m);
            p.end(0);
            p.lock(1, p.m);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R23", 2, |p| {
            p.lock(0, p.m);
            p.unlock(0, p.m);
            p.end(0);
            let busy = try_lock(p, 1);
            p.end(1);
            p.b.go(p.t(1), busy);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R26", 3, |p| {
            p.set(0, p.z, 1);
            p.end(0);
            let (a, b) = (p.b.has_value(p.x, 1), p.b.has_value(p.y, 1));
            let either = p.b.pool().or(a, b);
            p.b.wait(p.t(1), EdgeSpec::new("await").guard(either).atomic_access());
            p.check(1, p.z, 1);
            p.end(1);
            p.set(2, p.y, 1);
            p.end(2);
        }),
        ("R29", 4, |p| {
            let status = p.b.program().threads[p.threads[1]].status;
            p.b.program().vars[status].init = Status::FREE;
            p.set(0, p.y, 1);
            p.b.create(p.t(0), p.threads[1]);
            p.end(0);
            p.load(1, p.y);
            p.check(1, p.x, 1);
            p.end(1);
            p.set(2, p.x, 1);
            p.load(2, p.y);
            p.end(2);
            p.load(3, p.y);
            p.end(3);
        }),
        ("R30", 2, |p| {
            p.b.end_process(p.t(0));
            p.assert(1, 1);
            p.end(1);
        }),
    ];
    let mut result: Vec<(&'static str, Program)> = vec![];
    for (name, threads, build) in list {
        let mut make = Make::new(threads);
        build(&mut make);
        result.push((name, make.finish()));
    }
    result.push(("R31", ends_behind_create()));
    result
}

/// The success edge from the cursor; where a failure leads.
fn try_lock(p: &mut Make, k: usize) -> LocId {
    let t = p.t(k);
    let from = p.b.at(t);
    let free = p.b.has_value(p.m, 0);
    let busy = p.b.pool().not(free);
    let mine = p.b.owner(t);
    let taken = EdgeSpec::new("trylock").guard(free).set(p.m, mine).sync(Sync::Lock);
    p.b.next(t, taken.atomic_access());
    let fails = p.b.fresh(t);
    p.b.add(t, from, fails, EdgeSpec::new("busy").guard(busy).atomic_access());
    fails
}

/// `lock(k == 0 ? &m : &n)`, `k` being the thread's local variable.
fn lock_by_number(p: &mut Make, k: usize) {
    let first = p.b.has_value(p.locals[k], 0);
    let (m, n, mine) = (p.b.var(p.m), p.b.var(p.n), p.b.owner(p.t(k)));
    let pool = p.b.pool();
    let owner = pool.ite(first, m, n);
    let some = pool.is_nonzero(owner);
    let free = pool.not(some);
    let (new_m, new_n) = (pool.ite(first, mine, m), pool.ite(first, n, mine));
    let spec = EdgeSpec::new("lock m[k]").guard(free).set(p.m, new_m).set(p.n, new_n);
    p.b.wait(p.t(k), spec.sync(Sync::Lock).atomic_access());
}

/// Takes the lock `m` for reading.
fn read_lock(p: &mut Make, k: usize, readers: VarId) {
    let (free, more) = (p.b.has_value(p.m, 0), p.b.plus(readers, 1));
    let spec = EdgeSpec::new("rdlock").guard(free).set(readers, more).sync(Sync::ReadLock);
    p.b.wait(p.t(k), spec.atomic_access());
}

fn read_unlock(p: &mut Make, k: usize, readers: VarId) {
    let less = p.b.plus(readers, 3);
    let spec = EdgeSpec::new("unlock").set(readers, less).sync(Sync::ReadUnlock);
    p.b.next(p.t(k), spec.atomic_access());
}

/// Takes the lock `m` for writing.
fn write_lock(p: &mut Make, k: usize, readers: VarId) {
    let (free, none, mine) = (p.b.has_value(p.m, 0), p.b.has_value(readers, 0), p.b.owner(p.t(k)));
    let both = p.b.pool().and(free, none);
    let spec = EdgeSpec::new("wrlock").guard(both).set(p.m, mine).sync(Sync::Lock);
    p.b.wait(p.t(k), spec.atomic_access());
}

/// `main: create T1; return || T1: assert(0)`.
fn ends_behind_create() -> Program {
    let mut p = Make::new(2);
    let status = p.b.program().threads[p.threads[1]].status;
    p.b.program().vars[status].init = Status::FREE;
    p.b.create(p.t(0), p.threads[1]);
    p.b.end_process(p.t(0));
    p.assert(1, 1);
    p.end(1);
    p.finish()
}
