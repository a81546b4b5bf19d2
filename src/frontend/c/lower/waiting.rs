//! Condition variables, barriers, semaphores, one-time initialisation.
//!
//! A condition variable is the set of threads that wait at it, one bit a thread. To wait is to
//! enter the set and release the mutex at once, then to wait until one is out of the set and the
//! mutex is free, and take it. A signal takes one member out, whichever an input says.

use super::super::hir::Expr;
use super::super::layout::{BARRIER_ARRIVED, BARRIER_CLAIMED, BARRIER_LIMIT};
use super::late::{Late, LateKind};
use super::mutex::{EAGAIN, EINVAL, ETIMEDOUT};
use super::state::{Lower, R};
use super::sync::{Case, Field};
use crate::base::Id;
use crate::expr::Op2;
use crate::program::{ProgExpr, Sync};

/// The set of waiting threads: bit k is thread k's.
const WAITERS: Field = (0, 64);
const VALUE: Field = (0, 32);
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
                self.set_field(c, WAITERS, none)?
            }
            ("pthread_cond_destroy", [c]) => {
                if let Some(op) = self.operation(&[(c, &[WAITERS])])? {
                    let empty = self.is(op.value(0), 0);
                    self.case(&op, Case::when(empty))?;
                    let waits = self.not(empty);
                    self.misuse(&op, waits)?;
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
                if let Some(op) = self.operation(&[(c, &[WAITERS])])? {
                    self.case(&op, Case::always().set(0, none).sync(Sync::Broadcast))?;
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
            return with;
        }
        let spurious = self.fresh_input("spurious", 1);
        self.ite(spurious, set, with)
    }

    fn cond_wait(&mut self, c: &Expr, m: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        self.cond_waiters.insert(self.thread);
        if let Some(op) = self.wait_operation(c, m, WAITERS)? {
            let waits = self.new_loc();
            let set = self.entered(op.value(0));
            self.release_cases(&op, set, t, waits)?;
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
        if let Some(op) = self.wait_operation(c, m, WAITERS)? {
            let (waits, locks) = (self.new_loc(), self.new_loc());
            let set = self.entered(op.value(0));
            self.release_cases(&op, set, t, waits)?;
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
        let Some(op) = self.operation(&[(c, &[WAITERS])])? else { return Ok(zero) };
        let value = op.value(0);
        let edge = self.case_edge(&op, Case::always().sync(Sync::Signal));
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
            ("sem_init", [s, shared, value]) => {
                let value = self.rvalue(value)?;
                self.rvalue(shared)?;
                self.set_field(s, VALUE, value)?
            }
            ("sem_destroy", [s]) => {
                self.rvalue(s)?;
                zero
            }
            ("sem_wait", [s]) => self.sem_wait(s, None)?,
            ("sem_trywait", [s]) => self.sem_wait(s, Some(EAGAIN))?,
            ("sem_timedwait", [s, time]) => {
                self.rvalue(time)?;
                self.sem_wait(s, Some(ETIMEDOUT))?
            }
            ("sem_post", [s]) => {
                if let Some(op) = self.operation(&[(s, &[VALUE])])? {
                    let one = self.constant(1, 32);
                    let more = self.op2(Op2::Add, op.value(0), one);
                    self.case(&op, Case::always().set(0, more).sync(Sync::Post))?;
                    self.finish(&op);
                }
                zero
            }
            ("sem_getvalue", [s, out]) => self.get_field(s, VALUE, out)?,
            ("pthread_once" | "call_once", [once, f]) => self.once(once, f)?,
            _ => return Ok(None),
        }))
    }

    /// Takes one from a semaphore; where it is 0, waits or fails with this `errno`.
    fn sem_wait(&mut self, s: &Expr, fail: Option<u128>) -> R<ProgExpr> {
        let t = self.temp(32);
        let errno = fail.map(|_| self.errno_var());
        let Some(op) = self.operation(&[(s, &[VALUE])])? else { return Ok(self.var(t)) };
        let (zero, minus) = (self.constant(0, 32), self.constant(u32::MAX.into(), 32));
        let some = self.is_not(op.value(0), 0);
        let less = self.op2(Op2::Add, op.value(0), minus);
        self.case(&op, Case::when(some).set(0, less).put(t, zero).sync(Sync::Take))?;
        let none = self.not(some);
        match (fail, errno) {
            (Some(code), Some(errno)) => {
                let code = self.constant(code, 32);
                self.case(&op, Case::when(none).put(t, minus).put(errno, code))?;
            }
            _ => self.wait_while(&op, none)?,
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

    fn add_late(&mut self, op: &super::sync::Operation, kind: LateKind) {
        let context = self.context.clone();
        let (thread, from, to, depth) = (self.thread, op.from, op.to, self.depth);
        self.late.push(Late { thread, from, to, depth, context, kind });
    }
}
