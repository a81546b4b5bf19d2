//! Mutexes of all kinds, spin locks, read-write locks.

use super::super::hir::Expr;
use super::super::layout::{COND_GONE, MUTEX_COUNT, MUTEX_KIND, MUTEX_UNINITIALISED, RW_READERS};
use super::state::{Lower, R};
use super::sync::{Case, Field, Operation};
use crate::expr::Op2;
use crate::program::{ProgExpr, Sync, VarId};

/// Error numbers of Linux.
pub const EPERM: u128 = 1;
pub const EAGAIN: u128 = 11;
pub const EBUSY: u128 = 16;
pub const EINVAL: u128 = 22;
pub const EDEADLK: u128 = 35;
pub const EOVERFLOW: u128 = 75;
pub const ETIMEDOUT: u128 = 110;

/// Kinds of mutexes, as Linux numbers them; others are like a normal one.
const RECURSIVE: u128 = 1;
const ERRORCHECK: u128 = 2;
/// The kind of the highest number, `PTHREAD_MUTEX_ADAPTIVE_NP`.
const LAST_KIND: u128 = 3;

/// The owner of a free mutex.
const FREE: u128 = 0;
const OWNER: Field = (0, 32);

/// The fields of a condition variable: the set of waiting threads, where bit k is thread k's, and
/// whether there is none.
pub const CONDITION: [Field; 2] = [(0, 64), COND_GONE];

/// What happens while a lock is held by somebody else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Busy {
    Wait,
    /// Gives this error.
    Fail(u128),
}

impl Lower<'_> {
    /// Lowers a call of a mutex or lock function and gives what it returns; `None` if it is none.
    pub fn mutex_function(&mut self, name: &str, args: &[Expr]) -> R<Option<ProgExpr>> {
        Ok(Some(match (name, args) {
            ("pthread_mutex_lock", [m]) => self.lock(m, Busy::Wait)?,
            ("pthread_mutex_trylock", [m]) => self.lock(m, Busy::Fail(EBUSY))?,
            ("pthread_mutex_timedlock", [m, time]) => {
                self.rvalue(time)?;
                self.lock(m, Busy::Fail(ETIMEDOUT))?
            }
            ("pthread_mutex_unlock", [m]) => self.unlock(m)?,
            ("pthread_mutex_init", [m, attr]) => self.initialise(m, attr)?,
            ("pthread_mutex_destroy", [m]) => self.destroy(m)?,
            ("pthread_mutexattr_init" | "pthread_mutexattr_destroy", [a]) => {
                let zero = self.constant(0, 32);
                self.set_field(a, (0, 32), zero)?
            }
            ("pthread_mutexattr_settype", [a, kind]) => {
                let kind = self.rvalue(kind)?;
                self.set_kind(a, kind)?
            }
            ("pthread_mutexattr_gettype", [a, out]) => self.get_field(a, (0, 32), out)?,
            ("pthread_spin_lock", [m]) => self.spin_lock(m, Busy::Wait)?,
            ("pthread_spin_trylock", [m]) => self.spin_lock(m, Busy::Fail(EBUSY))?,
            ("pthread_spin_unlock", [m]) => self.spin_unlock(m)?,
            ("pthread_spin_init", [m, shared]) => {
                self.rvalue(shared)?;
                let free = self.constant(FREE, 32);
                self.set_field(m, OWNER, free)?
            }
            ("pthread_spin_destroy", [m]) => self.destroy(m)?,
            _ => return self.rwlock_function(name, args),
        }))
    }

    /// `pthread_mutexattr_settype`: EINVAL if there is no such kind.
    fn set_kind(&mut self, attr: &Expr, kind: ProgExpr) -> R<ProgExpr> {
        let code = self.temp(32);
        let t = self.temp(32);
        self.assign(t, kind);
        if let Some(op) = self.operation(&[(attr, &[(0, 32)])])? {
            let (kind, last) = (self.var(t), self.constant(LAST_KIND, 32));
            let exists = self.op2(Op2::Ule, kind, last);
            let not = self.not(exists);
            let (zero, invalid) = (self.constant(0, 32), self.constant(EINVAL, 32));
            self.case(&op, Case::when(exists).set(0, kind).put(code, zero))?;
            self.case(&op, Case::when(not).put(code, invalid))?;
            self.finish(&op);
        }
        Ok(self.var(code))
    }

    /// Whether the program has mutexes of other kinds than the normal one.
    pub fn has_kinds(&self) -> bool {
        let set = ["pthread_mutexattr_settype", "mtx_init"].iter().any(|f| self.hir.uses(f));
        set || self.hir.mutex_kinds
    }

    /// The operation on a mutex: its owner, and (if there are kinds) its count and kind.
    fn mutex_operation(&mut self, m: &Expr) -> R<Option<Operation>> {
        if self.has_kinds() {
            self.operation(&[(m, &[OWNER, MUTEX_COUNT, MUTEX_KIND])])
        } else {
            self.operation(&[(m, &[OWNER])])
        }
    }

    pub fn me(&mut self) -> ProgExpr {
        let me = self.self_number();
        self.constant(me, 32)
    }

    pub fn is_me(&mut self, owner: ProgExpr) -> ProgExpr {
        let me = self.self_number();
        self.is(owner, me)
    }

    /// Writes one field of a library object; gives 0.
    pub fn set_field(&mut self, e: &Expr, field: Field, value: ProgExpr) -> R<ProgExpr> {
        self.set_fields(e, &[(field, value)])
    }

    /// Writes fields of a library object at once; gives 0.
    pub fn set_fields(&mut self, e: &Expr, values: &[(Field, ProgExpr)]) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let fields: Vec<Field> = values.iter().map(|v| v.0).collect();
        let Some(op) = self.operation(&[(e, &fields)])? else { return Ok(zero) };
        let all = Case::always();
        let all = values.iter().enumerate().fold(all, |c, (k, &(_, v))| c.set(k, v));
        self.case(&op, all)?;
        self.finish(&op);
        Ok(zero)
    }

    /// Stores a field of a library object where `out` points to; gives 0.
    pub fn get_field(&mut self, e: &Expr, field: Field, out: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(place) = self.out_place(out)? else { return Ok(zero) };
        let t = self.temp(field.1);
        let Some(op) = self.operation(&[(e, &[field])])? else { return Ok(zero) };
        let value = op.value(0);
        self.case(&op, Case::always().put(t, value))?;
        self.finish(&op);
        let value = self.var(t);
        self.store(&place, value, out.loc)?;
        Ok(zero)
    }

    fn lock(&mut self, m: &Expr, busy: Busy) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.mutex_operation(m)? {
            let all = self.prog.pool.bool(true);
            self.lock_cases(&op, 0, t, busy, all)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// The edges that take the mutex whose fields begin at `first`, while `when` holds.
    fn lock_cases(
        &mut self,
        op: &Operation,
        first: usize,
        t: VarId,
        busy: Busy,
        when: ProgExpr,
    ) -> R<()> {
        let (owner, me, zero) = (op.value(first), self.me(), self.constant(0, 32));
        let free = self.is(owner, FREE);
        let guard = self.and(when, free);
        self.case(op, Case::when(guard).set(first, me).put(t, zero).sync(Sync::Lock))?;
        let gone = self.is(owner, MUTEX_UNINITIALISED);
        let guard = self.and(when, gone);
        self.misuse(op, guard)?;
        let (held, known) = (self.not(free), self.not(gone));
        let mut rest = self.and(held, known);
        rest = self.and(when, rest);
        if self.has_kinds() {
            rest = self.relock_cases(op, first, t, busy, rest)?;
        }
        match busy {
            Busy::Fail(code) => {
                let code = self.constant(code, 32);
                self.case(op, Case::when(rest).put(t, code))
            }
            Busy::Wait => {
                let mine = self.is_me(owner);
                self.wait_for_lock(op, mine, rest)
            }
        }
    }

    /// The edges for a mutex that the thread has already; gives when none of them applies.
    fn relock_cases(
        &mut self,
        op: &Operation,
        first: usize,
        t: VarId,
        busy: Busy,
        rest: ProgExpr,
    ) -> R<ProgExpr> {
        let (owner, count, kind) = (op.value(first), op.value(first + 1), op.value(first + 2));
        let (one, zero) = (self.constant(1, 32), self.constant(0, 32));
        let mine = self.is_me(owner);
        let mine = self.and(rest, mine);
        let recursive = self.is(kind, RECURSIVE);
        let again = self.and(mine, recursive);
        let more = self.op2(Op2::Add, count, one);
        self.case(op, Case::when(again).set(first + 1, more).put(t, zero).sync(Sync::Lock))?;
        let not = self.not(again);
        let rest = self.and(rest, not);
        // A trylock says EBUSY whoever has the mutex.
        if busy == Busy::Fail(EBUSY) {
            return Ok(rest);
        }
        let checks = self.is(kind, ERRORCHECK);
        let error = self.and(mine, checks);
        let code = self.constant(EDEADLK, 32);
        self.case(op, Case::when(error).put(t, code))?;
        let not = self.not(error);
        Ok(self.and(rest, not))
    }

    fn unlock(&mut self, m: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.mutex_operation(m)? {
            let (zero, owner) = (self.constant(0, 32), op.value(0));
            let mine = self.is_me(owner);
            let (last, nested) = self.unlocking(&op, 0, mine);
            self.case(&op, Case::when(last).set(0, zero).put(t, zero).sync(Sync::Unlock))?;
            if let Some(nested) = nested {
                let minus = self.constant(u32::MAX.into(), 32);
                let less = self.op2(Op2::Add, op.value(1), minus);
                let case = Case::when(nested).set(1, less).put(t, zero);
                self.case(&op, case.sync(Sync::Unlock))?;
            }
            let foreign = self.not(mine);
            self.not_owner(&op, 0, t, foreign)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// When an unlock by the owner frees the mutex, and when it only ends a nested lock.
    fn unlocking(
        &mut self,
        op: &Operation,
        first: usize,
        mine: ProgExpr,
    ) -> (ProgExpr, Option<ProgExpr>) {
        if !self.has_kinds() {
            return (mine, None);
        }
        let once = self.is(op.value(first + 1), 0);
        let nested = self.not(once);
        (self.and(mine, once), Some(self.and(mine, nested)))
    }

    /// The edges for a thread that is not the owner, when `foreign` holds.
    fn not_owner(&mut self, op: &Operation, first: usize, t: VarId, foreign: ProgExpr) -> R<()> {
        if !self.has_kinds() {
            return self.misuse(op, foreign);
        }
        let kind = op.value(first + 2);
        let (recursive, checks) = (self.is(kind, RECURSIVE), self.is(kind, ERRORCHECK));
        let told = self.prog.pool.or(recursive, checks);
        let known = self.is_not(op.value(first), MUTEX_UNINITIALISED);
        let told = self.and(told, known);
        let error = self.and(foreign, told);
        let code = self.constant(EPERM, 32);
        self.case(op, Case::when(error).put(t, code))?;
        let untold = self.not(told);
        let rest = self.and(foreign, untold);
        self.misuse(op, rest)
    }

    fn initialise(&mut self, m: &Expr, attr: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let plain = super::state::below_casts(attr).as_int() == Some(0);
        if !self.has_kinds() {
            self.rvalue(attr)?;
            return self.set_field(m, OWNER, zero);
        }
        let fields = [OWNER, MUTEX_COUNT, MUTEX_KIND];
        let mut objects: Vec<(&Expr, &[Field])> = vec![(m, &fields)];
        if !plain {
            objects.push((attr, &[(0, 32)]));
        }
        let Some(op) = self.operation(&objects)? else { return Ok(zero) };
        let kind = if plain { zero } else { op.value(3) };
        self.case(&op, Case::always().set(0, zero).set(1, zero).set(2, kind))?;
        self.finish(&op);
        Ok(zero)
    }

    /// Destroys a mutex, which must be free: it cannot be used any more.
    fn destroy(&mut self, m: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(op) = self.operation(&[(m, &[OWNER])])? else { return Ok(zero) };
        let free = self.is(op.value(0), FREE);
        let gone = self.constant(MUTEX_UNINITIALISED, 32);
        self.case(&op, Case::when(free).set(0, gone))?;
        let held = self.not(free);
        self.misuse(&op, held)?;
        self.finish(&op);
        Ok(zero)
    }

    fn spin_lock(&mut self, m: &Expr, busy: Busy) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.operation(&[(m, &[OWNER])])? {
            let (me, zero) = (self.me(), self.constant(0, 32));
            let free = self.is(op.value(0), FREE);
            self.case(&op, Case::when(free).set(0, me).put(t, zero).sync(Sync::Lock))?;
            let held = self.known_held(&op, free)?;
            match busy {
                Busy::Fail(code) => {
                    let code = self.constant(code, 32);
                    self.case(&op, Case::when(held).put(t, code))?;
                }
                Busy::Wait => {
                    let mine = self.is_me(op.value(0));
                    self.wait_for_lock(&op, mine, held)?;
                }
            }
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// When a lock, the first field of the operation, is not free; the edge for one that is not
    /// initialised leads to a site.
    fn known_held(&mut self, op: &Operation, free: ProgExpr) -> R<ProgExpr> {
        let gone = self.is(op.value(0), MUTEX_UNINITIALISED);
        self.misuse(op, gone)?;
        let (held, known) = (self.not(free), self.not(gone));
        Ok(self.and(held, known))
    }

    fn spin_unlock(&mut self, m: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(op) = self.operation(&[(m, &[OWNER])])? else { return Ok(zero) };
        let mine = self.is_me(op.value(0));
        self.case(&op, Case::when(mine).set(0, zero).sync(Sync::Unlock))?;
        let foreign = self.not(mine);
        self.misuse(&op, foreign)?;
        self.finish(&op);
        Ok(zero)
    }

    fn rwlock_function(&mut self, name: &str, args: &[Expr]) -> R<Option<ProgExpr>> {
        let fields = [OWNER, RW_READERS];
        let zero = self.constant(0, 32);
        Ok(Some(match (name, args) {
            ("pthread_rwlock_init", [l, attr]) => {
                self.rvalue(attr)?;
                if let Some(op) = self.operation(&[(l, &fields)])? {
                    self.case(&op, Case::always().set(0, zero).set(1, zero))?;
                    self.finish(&op);
                }
                zero
            }
            ("pthread_rwlock_destroy", [l]) => {
                if let Some(op) = self.operation(&[(l, &fields)])? {
                    let (writer, readers) = (self.is(op.value(0), 0), self.is(op.value(1), 0));
                    let free = self.and(writer, readers);
                    let gone = self.constant(MUTEX_UNINITIALISED, 32);
                    self.case(&op, Case::when(free).set(0, gone))?;
                    let held = self.not(free);
                    self.misuse(&op, held)?;
                    self.finish(&op);
                }
                zero
            }
            ("pthread_rwlock_rdlock", [l]) => self.read_lock(l, Busy::Wait)?,
            ("pthread_rwlock_tryrdlock", [l]) => self.read_lock(l, Busy::Fail(EBUSY))?,
            ("pthread_rwlock_wrlock", [l]) => self.write_lock(l, Busy::Wait)?,
            ("pthread_rwlock_trywrlock", [l]) => self.write_lock(l, Busy::Fail(EBUSY))?,
            ("pthread_rwlock_timedrdlock", [l, time]) => {
                self.rvalue(time)?;
                self.read_lock(l, Busy::Fail(ETIMEDOUT))?
            }
            ("pthread_rwlock_timedwrlock", [l, time]) => {
                self.rvalue(time)?;
                self.write_lock(l, Busy::Fail(ETIMEDOUT))?
            }
            ("pthread_rwlock_unlock", [l]) => self.rw_unlock(l)?,
            _ => return self.condition_function(name, args),
        }))
    }

    /// Readers get in whenever nobody writes, as glibc's default lets them.
    fn read_lock(&mut self, l: &Expr, busy: Busy) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.operation(&[(l, &[OWNER, RW_READERS])])? {
            let (one, zero) = (self.constant(1, 32), self.constant(0, 32));
            let free = self.is(op.value(0), FREE);
            let more = self.op2(Op2::Add, op.value(1), one);
            self.case(&op, Case::when(free).set(1, more).put(t, zero).sync(Sync::ReadLock))?;
            let held = self.known_held(&op, free)?;
            self.busy_rwlock(&op, t, busy, held)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    fn write_lock(&mut self, l: &Expr, busy: Busy) -> R<ProgExpr> {
        let t = self.temp(32);
        if let Some(op) = self.operation(&[(l, &[OWNER, RW_READERS])])? {
            let (me, zero) = (self.me(), self.constant(0, 32));
            let (writer, readers) = (self.is(op.value(0), FREE), self.is(op.value(1), 0));
            let free = self.and(writer, readers);
            self.case(&op, Case::when(free).set(0, me).put(t, zero).sync(Sync::Lock))?;
            let held = self.known_held(&op, free)?;
            self.busy_rwlock(&op, t, busy, held)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// The edges for a read-write lock that cannot be taken, when `held` holds.
    fn busy_rwlock(&mut self, op: &Operation, t: VarId, busy: Busy, held: ProgExpr) -> R<()> {
        let mine = self.is_me(op.value(0));
        let (rest, code) = match busy {
            Busy::Fail(code) => (held, code),
            Busy::Wait => (self.and(held, mine), EDEADLK),
        };
        let code = self.constant(code, 32);
        self.case(op, Case::when(rest).put(t, code))?;
        if busy == Busy::Wait {
            let other = self.not(mine);
            let waits = self.and(held, other);
            self.wait_while(op, waits)?;
        }
        Ok(())
    }

    fn rw_unlock(&mut self, l: &Expr) -> R<ProgExpr> {
        let zero = self.constant(0, 32);
        let Some(op) = self.operation(&[(l, &[OWNER, RW_READERS])])? else { return Ok(zero) };
        let mine = self.is_me(op.value(0));
        self.case(&op, Case::when(mine).set(0, zero).sync(Sync::Unlock))?;
        let (free, some) = (self.is(op.value(0), FREE), self.is_not(op.value(1), 0));
        let reads = self.and(free, some);
        let minus = self.constant(u32::MAX.into(), 32);
        let less = self.op2(Op2::Add, op.value(1), minus);
        self.case(&op, Case::when(reads).set(1, less).sync(Sync::ReadUnlock))?;
        let (a, b) = (self.not(mine), self.not(reads));
        let wrong = self.and(a, b);
        self.misuse(&op, wrong)?;
        self.finish(&op);
        Ok(zero)
    }

    /// The operation of a wait: the condition variable, with its waiters first, then the mutex.
    pub fn wait_operation(&mut self, c: &Expr, m: &Expr) -> R<Option<Operation>> {
        if self.has_kinds() {
            self.operation(&[(c, &CONDITION), (m, &[OWNER, MUTEX_COUNT, MUTEX_KIND])])
        } else {
            self.operation(&[(c, &CONDITION), (m, &[OWNER])])
        }
    }

    /// The edges of a wait, when `known` holds, that release the mutex and set the waiters, leading
    /// to `next`.
    pub fn release_cases(
        &mut self,
        op: &Operation,
        waiters: ProgExpr,
        t: VarId,
        known: ProgExpr,
        next: crate::program::LocId,
    ) -> R<()> {
        const MUTEX: usize = CONDITION.len();
        let zero = self.constant(0, 32);
        let mine = self.is_me(op.value(MUTEX));
        let may = self.and(known, mine);
        let (last, nested) = self.unlocking(op, MUTEX, may);
        let case = Case::when(last).set(0, waiters).set(MUTEX, zero).sync(Sync::Wait);
        self.case(op, case.to(next))?;
        if let Some(nested) = nested {
            // A recursive mutex stays locked: the wait releases one lock of several.
            let minus = self.constant(u32::MAX.into(), 32);
            let less = self.op2(Op2::Add, op.value(MUTEX + 1), minus);
            let case = Case::when(nested).set(0, waiters).set(MUTEX + 1, less).sync(Sync::Wait);
            self.case(op, case.to(next))?;
        }
        let foreign = self.not(mine);
        let foreign = self.and(known, foreign);
        self.not_owner(op, MUTEX, t, foreign)
    }

    /// The edges of a wait that take the mutex again while `when` holds.
    pub fn retake_cases(&mut self, op: &Operation, t: VarId, when: ProgExpr) -> R<()> {
        self.lock_cases(op, CONDITION.len(), t, Busy::Wait, when)
    }
}
