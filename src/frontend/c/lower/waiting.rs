//! Condition variables, barriers, semaphores, one-time initialisation.
//!
//! A condition variable is the set of threads that wait at it, one bit a thread. To wait is to
//! enter the set and release the mutex at once, then to wait until one is out of the set and the
//! mutex is free, and take it. A signal takes one member out, whichever an input says.

use super::super::hir::Expr;
use super::super::layout::{
    BARRIER_ARRIVED, BARRIER_CLAIMED, BARRIER_LIMIT, COND_GONE, SEMAPHORE_READY,
};
use super::late::{Late, LateKind};
use super::mutex::{CONDITION, EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT};
use super::state::{Lower, R};
use super::sync::{Case, Field, Operation};
use crate::base::Id;
use crate::expr::Op2;
use crate::program::{Edge, ProgExpr, Sync, VarId};

/// The set of waiting threads: bit k is thread k's.
const WAITERS: Field = (0, 64);
const VALUE: Field = (0, 32);
const SEMAPHORE: [Field; 2] = [VALUE, SEMAPHORE_READY];
/// `SEM_VALUE_MAX`, as glibc has it.
const MOST: u128 = 0x7fff_ffff;
/// What `pthread_barrier_wait` returns to one of the threads.
const SERIAL_THREAD: u128 = 0xffff_ffff;

impl Lower<'_> {
    /// Lowers a call of a function that waits or wakes and gives what it returns; `None` if it is
    /// none.
    pub fn condition_function(&mut self, name: &str, args: &[Expr]) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        let none = self.constant(0, 64);
        Ok(Some(match (name, args) {
            ("pthread_cond_init", [c, attr]) => {
                self.rvalue(attr)?;
                self.cond_init(c)?
            }
            ("pthread_cond_destroy", [c]) => {
                if let Some(op) = self.operation(&[(c, &CONDITION)])? {
                    let (empty, one) = (self.is(op.value(0), 0), self.constant(1, 32));
                    let known = self.is(op.value(1), 0);
                    let idle = self.and(known, empty);
                    self.case(&op, Case::when(idle).set(1, one))?;
                    let wrong = self.not(idle);
                    self.misuse(&op, wrong)?;
                    self.finish(&op);
                }
                zero
            }
            ("pthread_cond_wait", [c, m]) => self.cond_wait(c, m)?,
            ("pthread_cond_timedwait", [c, m, time]) => {
                self.rvalue(time)?;
                self.cond_timedwait(c, m)?
            }
            ("pthread_cond_clockwait", [c, m, clock, time]) => {
                self.rvalue(time)?;
                self.rvalue(clock)?;
                self.cond_timedwait(c, m)?
            }
            ("pthread_cond_signal", [c]) => self.signal(c)?,
            ("pthread_cond_broadcast", [c]) => {
                if let Some(op) = self.operation(&[(c, &CONDITION)])? {
                    let known = self.known_condition(&op)?;
                    self.case(&op, Case::when(known).set(0, none).sync(Sync::Broadcast))?;
                    self.finish(&op);
                }
                zero
            }
            ("pthread_barrier_init", [b, attr, limit]) => self.barrier_init(b, attr, limit)?,
            ("pthread_barrier_destroy", [b]) => {
                let nobody = self.constant(0, 32);
                self.set_field(b, BARRIER_LIMIT, nobody)?
            }
            ("pthread_barrier_wait", [b]) => self.barrier_wait(b)?,
            _ => return self.semaphore_function(name, args),
        }))
    }

    /// The thread's bit in a set of threads.
    fn my_bit(&mut self) -> ProgExpr {
        self.constant(1 << self.thread.index(), 64)
    }

    fn with_me(&mut self, set: ProgExpr) -> ProgExpr {
        let bit = self.my_bit();
        self.op2(Op2::Or, set, bit)
    }

    fn without_me(&mut self, set: ProgExpr) -> ProgExpr {
        let others = self.constant(u128::from(!(1u64 << self.thread.index())), 64);
        self.op2(Op2::And, set, others)
    }

    fn includes_me(&mut self, set: ProgExpr) -> ProgExpr {
        self.prog.pool.extract(set, self.thread.index() as u32, 1)
    }

    /// The set with this thread in it; it may stay out and so wake up for no reason, if the user
    /// wants that.
    fn entered(&mut self, set: ProgExpr) -> ProgExpr {
        let with = self.with_me(set);
        if !self.options.spurious_wakeups {
            self.prog.waits_for_signals = true;
            return with;
        }
        let spurious = self.fresh_input("spurious", 1);
        self.ite(spurious, set, with)
    }

    /// Makes a condition variable that nobody waits at; gives 0.
    pub fn cond_init(&mut self, c: &Expr) -> R<ProgExpr> {
        let (zero, none) = (self.constant(0, 32), self.constant(0, 64));
        self.set_fields(c, &[(WAITERS, none), (COND_GONE, zero)])
    }

    /// Whether the condition variable of an operation is one; the edge for what is none leads to a
    /// site.
    fn known_condition(&mut self, op: &Operation) -> R<ProgExpr> {
        let known = self.is(op.value(1), 0);
        let gone = self.not(known);
        self.misuse(op, gone)?;
        Ok(known)
    }

    fn cond_wait(&mut self, c: &Expr, m: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        self.cond_waiters.insert(self.thread);
        if let Some(op) = self.wait_operation(c, m)? {
            let known = self.known_condition(&op)?;
            let waits = self.new_loc();
            let set = self.entered(op.value(0));
            self.release_cases(&op, set, t, known, waits)?;
            let op = self.second(op, waits);
            let inside = self.includes_me(op.value(0));
            let woken = self.not(inside);
            self.wait_while(&op, inside)?;
            self.retake_cases(&op, t, woken)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// The time may run out whenever the thread has not been woken.
    fn cond_timedwait(&mut self, c: &Expr, m: &Expr) -> R<ProgExpr> {
        let (t, ignored) = (self.temp(32), self.temp(32));
        self.cond_waiters.insert(self.thread);
        if let Some(op) = self.wait_operation(c, m)? {
            let known = self.known_condition(&op)?;
            let (waits, locks) = (self.new_loc(), self.new_loc());
            let set = self.entered(op.value(0));
            self.release_cases(&op, set, t, known, waits)?;
            let op = self.second(op, waits);
            let inside = self.includes_me(op.value(0));
            let (woken, zero) = (self.not(inside), self.constant(0, 32));
            self.case(&op, Case::when(woken).put(t, zero).to(locks))?;
            let (out, late) = (self.without_me(op.value(0)), self.constant(ETIMEDOUT, 32));
            self.case(&op, Case::when(inside).set(0, out).put(t, late).to(locks))?;
            let op = self.second(op, locks);
            let all = self.prog.pool.bool(true);
            self.retake_cases(&op, ignored, all)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// Wakes one waiter. Which threads can wait is known when all have been built.
    fn signal(&mut self, c: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(op) = self.operation(&[(c, &CONDITION)])? else { return Ok(zero) };
        let value = op.value(0);
        let known = self.known_condition(&op)?;
        let edge = self.case_edge(&op, Case::when(known).sync(Sync::Signal));
        let target = self.field_target(&op, 0);
        self.add_late(&op, LateKind::Signal { edge, value, target });
        self.finish(&op);
        Ok(zero)
    }

    /// The members of a set of threads without one of them, chosen by an input.
    pub fn without_one(&mut self, set: ProgExpr) -> ProgExpr {
        let list: Vec<u32> = self.cond_waiters.iter().map(|t| t.index() as u32).collect();
        match list.len() {
            0 => return set,
            1 => return self.constant(0, 64),
            _ => {}
        }
        let bits = usize::BITS - (list.len() - 1).leading_zeros();
        let choice = self.fresh_input("woken", bits);
        let inside: Vec<ProgExpr> =
            list.iter().map(|&k| self.prog.pool.extract(set, k, 1)).collect();
        let mut chosen_waits = self.prog.pool.bool(false);
        let mut chosen = vec![];
        for (j, &waits) in inside.iter().enumerate() {
            let is = self.eq_const(choice, j as u128);
            let both = self.and(is, waits);
            chosen.push(both);
            chosen_waits = self.prog.pool.or(chosen_waits, both);
        }
        // Whoever is first if the chosen one does not wait.
        let mut other = self.not(chosen_waits);
        let mut result = set;
        for (j, &k) in list.iter().enumerate() {
            let first = self.and(other, inside[j]);
            let goes = self.prog.pool.or(chosen[j], first);
            let not = self.not(inside[j]);
            other = self.and(other, not);
            let without = self.constant(u128::from(!(1u64 << k)), 64);
            let out = self.op2(Op2::And, result, without);
            result = self.ite(goes, out, result);
        }
        result
    }

    fn barrier_init(&mut self, b: &Expr, attr: &Expr, limit: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        let limit = self.rvalue(limit)?;
        self.rvalue(attr)?;
        let fields = [WAITERS, BARRIER_LIMIT, BARRIER_ARRIVED, BARRIER_CLAIMED];
        if let Some(op) = self.operation(&[(b, &fields)])? {
            let (none, zero) = (self.constant(0, 64), self.constant(0, 32));
            let some = self.is_not(limit, 0);
            let case = Case::when(some).set(0, none).set(1, limit).set(2, zero).set(3, zero);
            self.case(&op, case.put(t, zero))?;
            let nobody = self.not(some);
            let error = self.constant(EINVAL, 32);
            self.case(&op, Case::when(nobody).put(t, error))?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// All threads that arrive go on when the last one has; one of them, whichever, is told so.
    fn barrier_wait(&mut self, b: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        let fields = [WAITERS, BARRIER_LIMIT, BARRIER_ARRIVED, BARRIER_CLAIMED];
        let Some(op) = self.operation(&[(b, &fields)])? else { return Ok(self.var(t)) };
        let (limit, arrived, claimed) = (op.value(1), op.value(2), op.value(3));
        let (one, zero, none) = (self.constant(1, 32), self.constant(0, 32), self.constant(0, 64));
        let serial = self.constant(SERIAL_THREAD, 32);
        let unset = self.is(limit, 0);
        self.misuse(&op, unset)?;
        let set = self.not(unset);
        let more = self.op2(Op2::Add, arrived, one);
        let full = self.op2(Op2::Eq, more, limit);
        let last = self.and(set, full);
        let taken = self.is_not(claimed, 0);
        let told = self.ite(taken, zero, serial);
        let case = Case::when(last).set(0, none).set(2, zero).set(3, zero).put(t, told);
        self.case(&op, case.sync(Sync::Barrier))?;
        let not_full = self.not(full);
        let early = self.and(set, not_full);
        let wants = self.fresh_input("serial", 1);
        let free = self.not(taken);
        let claims = self.and(wants, free);
        let told = self.ite(claims, serial, zero);
        let claimed = self.ite(claims, one, claimed);
        let waits = self.new_loc();
        let with = self.with_me(op.value(0));
        let case = Case::when(early).set(0, with).set(2, more).set(3, claimed).put(t, told);
        self.case(&op, case.sync(Sync::Barrier).to(waits))?;
        let op = self.second(op, waits);
        let inside = self.includes_me(op.value(0));
        let out = self.not(inside);
        self.wait_while(&op, inside)?;
        self.case(&op, Case::when(out).sync(Sync::Barrier))?;
        self.finish(&op);
        Ok(self.var(t))
    }

    fn semaphore_function(&mut self, name: &str, args: &[Expr]) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        Ok(Some(match (name, args) {
            ("sem_init", [s, shared, value]) => self.sem_init(s, shared, value)?,
            ("sem_destroy", [s]) => {
                if let Some(op) = self.operation(&[(s, &SEMAPHORE)])? {
                    let ready = self.known_semaphore(&op)?;
                    self.case(&op, Case::when(ready).set(1, zero))?;
                    self.finish(&op);
                }
                zero
            }
            ("sem_wait", [s]) => self.sem_wait(s, None)?,
            ("sem_trywait", [s]) => self.sem_wait(s, Some(EAGAIN))?,
            ("sem_timedwait", [s, time]) => {
                self.rvalue(time)?;
                self.sem_wait(s, Some(ETIMEDOUT))?
            }
            ("sem_post", [s]) => self.sem_post(s)?,
            ("sem_getvalue", [s, out]) => self.sem_getvalue(s, out)?,
            ("pthread_once" | "call_once", [once, f]) => self.once(once, f)?,
            _ => return Ok(None),
        }))
    }

    /// Whether the semaphore of an operation is initialised; the edge for one that is not leads to a
    /// site.
    fn known_semaphore(&mut self, op: &Operation) -> R<ProgExpr> {
        let ready = self.is_not(op.value(1), 0);
        let not = self.not(ready);
        self.misuse(op, not)?;
        Ok(ready)
    }

    /// The edge of a semaphore's operation, when `guard` holds, that fails with this `errno`.
    fn sem_fails(&mut self, op: &Operation, guard: ProgExpr, t: VarId, error: u128) -> Edge {
        let minus = self.constant(u32::MAX.into(), 32);
        let mut case = Case::when(guard).put(t, minus);
        // Where nobody looks at it, it is no second access.
        if self.hir.uses("__errno_location") {
            let (errno, error) = (self.errno_var(), self.constant(error, 32));
            case = case.put(errno, error);
        }
        self.case_edge(op, case)
    }

    fn sem_init(&mut self, s: &Expr, shared: &Expr, value: &Expr) -> R<ProgExpr> {
        let (t, initial) = (self.temp(32), self.temp(32));
        let v = self.rvalue(value)?;
        let v = self.resize(v, 32, true);
        self.rvalue(shared)?;
        self.assign(initial, v);
        self.count_posts(self.prog.pool.as_const(v).and_then(|v| u64::try_from(v).ok()));
        if let Some(op) = self.operation(&[(s, &SEMAPHORE)])? {
            let (zero, one) = (self.constant(0, 32), self.constant(1, 32));
            let v = if self.is_constant(v) { v } else { self.var(initial) };
            let most = self.constant(MOST, 32);
            let fits = self.op2(Op2::Ule, v, most);
            self.case(&op, Case::when(fits).set(0, v).set(1, one).put(t, zero))?;
            let over = self.not(fits);
            if !self.prog.pool.is_false(over) {
                let edge = self.sem_fails(&op, over, t, EINVAL);
                self.push_edge(edge)?;
            }
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// Counts what may be added to semaphores; `None` is without a bound.
    fn count_posts(&mut self, more: Option<u64>) {
        self.semaphore_posts = self.semaphore_posts.saturating_add(more.unwrap_or(u64::MAX));
    }

    /// Whether a semaphore may reach its largest value, now that all threads have been built.
    pub fn semaphores_may_be_full(&self) -> bool {
        u128::from(self.semaphore_posts) >= MOST
    }

    fn sem_post(&mut self, s: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.operation(&[(s, &SEMAPHORE)])? {
            let ready = self.known_semaphore(&op)?;
            let (one, zero) = (self.constant(1, 32), self.constant(0, 32));
            let more = self.op2(Op2::Add, op.value(0), one);
            let full = self.is(op.value(0), MOST);
            let case = Case::when(ready).set(0, more).put(t, zero).sync(Sync::Post);
            let edge = self.case_edge(&op, case);
            let fails = self.sem_fails(&op, ready, t, EOVERFLOW);
            self.add_late(&op, LateKind::Post { edge, fails, full });
            self.count_posts(self.repetitions());
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    fn sem_getvalue(&mut self, s: &Expr, out: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(place) = self.out_place(out)? else { return Ok(zero) };
        let t = self.temp(32);
        let Some(op) = self.operation(&[(s, &SEMAPHORE)])? else { return Ok(zero) };
        let ready = self.known_semaphore(&op)?;
        let value = op.value(0);
        self.case(&op, Case::when(ready).put(t, value))?;
        self.finish(&op);
        let value = self.var(t);
        self.store(&place, value, out.loc)?;
        Ok(zero)
    }

    /// Takes one from a semaphore; where it is 0, waits or fails with this `errno`.
    fn sem_wait(&mut self, s: &Expr, fail: Option<u128>) -> R<ProgExpr> {
        let t = self.temp(32);
        let Some(op) = self.operation(&[(s, &SEMAPHORE)])? else { return Ok(self.var(t)) };
        let ready = self.known_semaphore(&op)?;
        let (zero, minus) = (self.constant(0, 32), self.constant(u32::MAX.into(), 32));
        let some = self.is_not(op.value(0), 0);
        let less = self.op2(Op2::Add, op.value(0), minus);
        let may = self.and(ready, some);
        self.case(&op, Case::when(may).set(0, less).put(t, zero).sync(Sync::Take))?;
        let empty = self.not(some);
        let none = self.and(ready, empty);
        match fail {
            Some(code) => {
                let edge = self.sem_fails(&op, none, t, code);
                self.push_edge(edge)?;
            }
            None => self.wait_while(&op, none)?,
        }
        self.finish(&op);
        Ok(self.var(t))
    }

    /// The first thread runs the function, others wait for its end: 0 not begun, 1 running, 2 done.
    fn once(&mut self, once: &Expr, f: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(op) = self.operation(&[(once, &[VALUE])])? else { return Ok(zero) };
        let (one, two) = (self.constant(1, 32), self.constant(2, 32));
        let (fresh, done) = (self.is(op.value(0), 0), self.is(op.value(0), 2));
        let runs = self.new_loc();
        self.case(&op, Case::when(fresh).set(0, one).sync(Sync::Lock).to(runs))?;
        self.case(&op, Case::when(done))?;
        let (a, b) = (self.not(fresh), self.not(done));
        let running = self.and(a, b);
        self.wait_while(&op, running)?;
        self.graph.nodes[runs].depth = Some(self.depth);
        self.set_cur(runs);
        self.call_effect(f, f, &[])?;
        if let Some(end) = self.operation(&[(once, &[VALUE])])? {
            self.case(&end, Case::always().set(0, two).sync(Sync::Unlock))?;
            self.finish(&end);
            self.jump(op.to)?;
        }
        self.finish(&op);
        Ok(zero)
    }

    fn add_late(&mut self, op: &Operation, kind: LateKind) {
        let context = self.context.clone();
        let (thread, from, to, depth) = (self.thread, op.from, op.to, self.depth);
        self.late.push(Late { thread, from, to, depth, context, kind });
    }
}
