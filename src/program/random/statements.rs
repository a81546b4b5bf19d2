//! Random statements. Each leads from the thread's cursor to a new one.

use super::generator::Generator;
use crate::base::Id;
use crate::expr::Op2;
use crate::program::build::EdgeSpec;
use crate::program::{
    Bound, LocKind, ProgExpr, SiteKind, Status, Sync, ThreadId, Undefined, VarId,
};

/// Number of kinds of statements without a block; frequent ones count more than once.
pub(super) const STATEMENT_KINDS: usize = 22;
/// The kind that accesses the array.
pub(super) const ARRAY: usize = 14;
/// The kind that begins or ends the lifetime of the array.
pub(super) const LIFETIME: usize = 20;
/// Number of kinds of statements with a block.
pub(super) const COMPOUND_KINDS: usize = 7;

impl Generator<'_> {
    /// Adds a statement; one with a block in it only if `depth` is not 0.
    pub(super) fn statement(&mut self, t: ThreadId, depth: usize) {
        self.left = self.left.saturating_sub(1);
        if depth > 0 && self.rng.one_in(4) {
            return self.compound(t, depth - 1);
        }
        if !self.loops.is_empty() && self.rng.one_in(6) {
            return self.leave_round(t);
        }
        let kind = match self.rng.below(3) {
            0 => *self.rng.pick(&self.favourites.0),
            _ => self.rng.below(STATEMENT_KINDS),
        };
        match kind {
            0 | 1 => self.compute(t),
            2..=4 => self.load(t),
            5..=7 => self.store(t),
            8 | 9 => self.update(t),
            10 => self.choose(t),
            11 | 12 => self.assert(t),
            13 => self.assume(t),
            ARRAY | 15 => self.access_array(t),
            16 => self.mutex_operation(t),
            17 => self.wait(t),
            18 => self.thread_operation(t),
            19 => self.end_process(t),
            LIFETIME => self.lifetime(t),
            _ => self.dead_code(t),
        }
    }

    /// A statement with a block.
    fn compound(&mut self, t: ThreadId, depth: usize) {
        let atomic = self.b.is_atomic(t);
        let kind = match self.rng.below(3) {
            0 => self.favourites.1,
            _ => self.rng.below(COMPOUND_KINDS),
        };
        match kind {
            0 | 1 => self.branch(t, depth),
            2 | 3 if self.options.loops && (!atomic || self.rng.one_in(2)) => {
                self.any_loop(t, depth);
            }
            4 if !self.mutexes.is_empty() && !atomic && self.uses_mutex() => {
                let m = *self.rng.pick(&self.mutexes);
                self.b.lock(t, m);
                self.block(t, depth);
                self.unlock(t, m);
            }
            4 if self.rwlock.is_some() && !atomic => self.rw_section(t, depth),
            5 | 6 if self.options.atomic_sections && !atomic => {
                self.b.atomic_begin(t);
                if self.rng.one_in(4) {
                    self.wait(t);
                }
                self.block(t, depth);
                self.b.atomic_end(t);
            }
            _ => self.branch(t, depth),
        }
    }

    fn branch(&mut self, t: ThreadId, depth: usize) {
        let c = if self.rng.one_in(3) { self.shared_condition(t) } else { self.condition(t) };
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

    pub(super) fn compute(&mut self, t: ThreadId) {
        let v = self.local(t);
        let width = self.b.program().vars[v].width;
        let value = self.value(t, width, 2);
        self.b.set(t, v, value);
    }

    fn load(&mut self, t: ThreadId) {
        let (v, x) = (self.local(t), *self.rng.pick(&self.shared));
        let width = self.b.program().vars[v].width;
        let (x, signed) = (self.b.var(x), self.rng.one_in(4));
        let value = self.b.pool().resize(x, width, signed);
        self.b.set(t, v, value);
    }

    pub(super) fn store(&mut self, t: ThreadId) {
        let x = *self.rng.pick(&self.shared);
        let width = self.b.program().vars[x].width;
        let value = self.value(t, width, 1);
        self.b.set(t, x, value);
    }

    /// An atomic read-modify-write; perhaps with the old value going to a local, perhaps an
    /// exchange of two shared variables.
    fn update(&mut self, t: ThreadId) {
        let (x, y) = (*self.rng.pick(&self.shared), *self.rng.pick(&self.shared));
        let (ex, ey) = (self.b.var(x), self.b.var(y));
        let (wx, wy) = (self.b.pool().width(ex), self.b.pool().width(ey));
        let mut spec = EdgeSpec::new("update").atomic_access();
        if x != y && self.rng.one_in(3) {
            let (vx, vy) =
                (self.b.pool().resize(ey, wx, false), self.b.pool().resize(ex, wy, true));
            spec = spec.set(x, vx).set(y, vy);
        } else {
            let operand = self.value(t, wx, 1);
            let sum = self.b.pool().op2(Op2::Add, ex, operand);
            spec = spec.set(x, sum);
        }
        if self.rng.one_in(2) {
            let v = self.local(t);
            let width = self.b.program().vars[v].width;
            let old = self.b.pool().resize(ex, width, false);
            spec = spec.set(v, old);
        }
        self.b.next(t, spec);
    }

    pub(super) fn choose(&mut self, t: ThreadId) {
        let v = self.local(t);
        let width = self.b.program().vars[v].width;
        let name = self.name("n");
        let input = self.b.input(&name, 1 + self.rng.below(2) as u32);
        let value = self.b.program().input(input);
        let value = self.b.pool().resize(value, width, false);
        self.b.set(t, v, value);
    }

    fn assert(&mut self, t: ThreadId) {
        let c = if self.rng.one_in(5) { self.shared_condition(t) } else { self.condition(t) };
        let name = self.name("property");
        self.assertion(t, c, &name);
    }

    /// `assert(c)`.
    pub(super) fn assertion(&mut self, t: ThreadId, c: ProgExpr, text: &str) {
        let not = self.b.pool().not(c);
        let spec = EdgeSpec::new("assert");
        self.site_edge(t, SiteKind::Assertion, text, spec.clone().guard(not));
        self.b.next(t, spec.guard(c));
    }

    fn assume(&mut self, t: ThreadId) {
        if !self.options.assumes {
            return self.compute(t);
        }
        let c = if self.rng.one_in(3) { self.shared_condition(t) } else { self.condition(t) };
        self.b.assume(t, c);
    }

    /// Accesses to the array, several in a row.
    fn access_array(&mut self, t: ThreadId) {
        match &self.array {
            Some(array) if array.owner.is_none_or(|owner| owner == t) => {}
            _ => return self.update(t),
        }
        for _ in 0..1 + self.rng.below(3) {
            self.access_element(t);
        }
    }

    /// The address of an element that may be outside of the array, and whether finding it reads
    /// something shared.
    fn element(&mut self, t: ThreadId) -> (ProgExpr, bool) {
        let array = self.array.as_ref().expect("there is an array");
        let (object, size, mask) = (array.object, array.size, array.index_mask);
        let mut reads_shared = false;
        let index = match self.rng.below(6) {
            0 | 1 => {
                let at = self.rng.below(size as usize) as u128;
                self.b.pool().constant(at, 32)
            }
            2 => {
                reads_shared = true;
                let x = *self.rng.pick(&self.shared);
                let x = self.b.var(x);
                self.b.pool().resize(x, 32, false)
            }
            3 if mask > 3 => {
                let (name, input) = (self.name("at"), self.name("n"));
                let at = self.local_variable(t, &name, 5, 0);
                let input = self.b.input(&input, 5);
                let value = self.b.program().input(input);
                self.b.set(t, at, value);
                let at = self.b.var(at);
                self.b.pool().resize(at, 32, false)
            }
            _ => self.value(t, 32, 0),
        };
        let mask = self.b.pool().constant(mask, 32);
        let index = self.b.pool().and(index, mask);
        let base = self.b.program().address(object);
        (self.b.pool().op2(Op2::Add, base, index), reads_shared)
    }

    /// A load or store of one or two bytes. When the address is outside of the array there is
    /// mostly an edge to a site, else what is loaded is 0 and what is stored is dropped.
    fn access_element(&mut self, t: ThreadId) {
        let (addr, reads_shared) = self.element(t);
        let object = self.array.as_ref().expect("there is an array").object;
        let bytes = if self.rng.one_in(3) { 2 } else { 1 };
        let mut spec = EdgeSpec::new("access");
        let candidates = [object];
        let candidates = self.rng.one_in(2).then_some(&candidates[..]);
        let d = spec.deref(addr, bytes, candidates);
        if reads_shared {
            spec = spec.atomic_access();
        }
        if !self.rng.one_in(5) {
            let valid = self.b.valid(d);
            let invalid = self.b.pool().not(valid);
            let text = self.name("dereference");
            let kind = SiteKind::Undefined(Undefined::InvalidDereference);
            self.site_edge(t, kind, &text, spec.clone().guard(invalid));
            spec = spec.guard(valid);
        }
        let v = self.local(t);
        let spec = if self.rng.one_in(2) {
            let (loaded, width) = (self.b.loaded(d, bytes), self.b.program().vars[v].width);
            let value = self.b.pool().resize(loaded, width, false);
            spec.set(v, value)
        } else {
            let value = self.b.var(v);
            let value = self.b.pool().resize(value, 8 * bytes, false);
            spec.store(d, value)
        };
        self.b.next(t, spec);
    }

    /// Lock, unlock (checked) or trylock.
    fn mutex_operation(&mut self, t: ThreadId) {
        if let Some((owner, readers)) = self.rwlock
            && !self.uses_mutex()
        {
            return self.rw_operation(t, owner, readers);
        }
        if self.mutexes.is_empty() {
            return self.store(t);
        }
        let m = *self.rng.pick(&self.mutexes);
        match self.rng.below(3) {
            0 if self.b.is_atomic(t) => {
                let free = self.b.has_value(m, 0);
                self.blocked_site(t, free);
                let mine = self.b.owner(t);
                let spec = EdgeSpec::new("lock").guard(free).set(m, mine);
                self.b.next(t, spec.sync(Sync::Lock).atomic_access());
            }
            0 => {
                self.b.lock(t, m);
            }
            1 => self.unlock(t, m),
            _ => self.try_lock(t, m),
        }
    }

    /// Unlock, or a site if the thread is not the owner.
    fn unlock(&mut self, t: ThreadId, m: VarId) {
        let (mine, owner) = (self.b.owner(t), self.b.var(m));
        let is_owner = self.b.pool().eq(owner, mine);
        let not = self.b.pool().not(is_owner);
        let text = self.name("unlock");
        let kind = SiteKind::Undefined(Undefined::MutexMisuse);
        self.site_edge(t, kind, &text, EdgeSpec::new("unlock").guard(not).atomic_access());
        let free = self.b.value_for(m, 0);
        let spec = EdgeSpec::new("unlock").guard(is_owner).set(m, free);
        self.b.next(t, spec.sync(Sync::Unlock).atomic_access());
    }

    fn try_lock(&mut self, t: ThreadId, m: VarId) {
        let v = self.local(t);
        let free = self.b.has_value(m, 0);
        let busy = self.b.pool().not(free);
        let (mine, yes, no) = (self.b.owner(t), self.b.value_for(v, 1), self.b.value_for(v, 0));
        let from = self.b.at(t);
        let taken = EdgeSpec::new("trylock").guard(free).set(m, mine).set(v, yes);
        let to = self.b.next(t, taken.sync(Sync::Lock).atomic_access());
        let failed = EdgeSpec::new("trylock fails").guard(busy).set(v, no);
        self.b.add(t, from, to, failed.atomic_access());
    }

    /// Waits until a condition on a shared variable holds; inside an atomic section it must hold.
    pub(super) fn wait(&mut self, t: ThreadId) {
        let c = self.shared_condition(t);
        if self.b.is_atomic(t) {
            self.blocked_site(t, c);
            self.b.next(t, EdgeSpec::new("await").guard(c));
        } else {
            self.b.wait(t, EdgeSpec::new("await").guard(c));
        }
    }

    /// Creates or joins another thread.
    fn thread_operation(&mut self, t: ThreadId) {
        let others: Vec<ThreadId> =
            self.threads.iter().copied().filter(|&u| u != t && u.index() != 0).collect();
        if others.is_empty() {
            return self.load(t);
        }
        let other = *self.rng.pick(&others);
        if self.rng.one_in(4) {
            self.create(t, other);
        } else {
            self.join(t, other);
        }
    }

    /// Creates a thread, or violates a site if it is not free.
    pub(super) fn create(&mut self, t: ThreadId, other: ThreadId) {
        let status = self.b.program().threads[other].status;
        let free = self.b.has_value(status, Status::FREE);
        let busy = self.b.pool().not(free);
        let text = self.name("create");
        let spec = EdgeSpec::new("create").guard(busy).atomic_access();
        self.site_edge(t, SiteKind::Bound(Bound::Threads), &text, spec);
        let running = self.b.value_for(status, Status::RUNNING);
        let spec = EdgeSpec::new("create").guard(free).set(status, running);
        self.b.next(t, spec.sync(Sync::Create(other)).atomic_access());
    }

    /// Waits for the end of a thread; one that is free cannot be joined.
    pub(super) fn join(&mut self, t: ThreadId, other: ThreadId) {
        let status = self.b.program().threads[other].status;
        let (free, ended) =
            (self.b.has_value(status, Status::FREE), self.b.has_value(status, Status::ENDED));
        let from = self.b.at(t);
        if self.b.is_atomic(t) {
            self.blocked_site(t, ended);
        } else {
            let text = self.name("join");
            let kind = SiteKind::Undefined(Undefined::InvalidThread);
            self.site_edge(t, kind, &text, EdgeSpec::new("join").guard(free).atomic_access());
            self.b.program().threads[t].locations[from].blocking = true;
        }
        let mut spec = EdgeSpec::new("join").guard(ended);
        if let Some(result) = self.results[other.index()] {
            let v = self.local(t);
            let (result, width) = (self.b.var(result), self.b.program().vars[v].width);
            let result = self.b.pool().resize(result, width, false);
            spec = spec.set(v, result);
        }
        let value = self.b.value_for(status, Status::FREE);
        self.b.next(t, spec.set(status, value).sync(Sync::Join(other)).atomic_access());
    }

    /// Ends the process under a condition.
    fn end_process(&mut self, t: ThreadId) {
        let c = self.condition(t);
        let (_, no) = self.b.branch(t, c);
        self.b.end_process(t);
        self.b.go(t, no);
    }

    /// Begins or ends the array's lifetime.
    fn lifetime(&mut self, t: ThreadId) {
        let Some(alive) = self.array.as_ref().and_then(|a| a.alive) else { return self.load(t) };
        let value = self.rng.below(2) as u128;
        let value = self.b.value_for(alive, value);
        self.b.next(t, EdgeSpec::new("lifetime").set(alive, value).atomic_access());
    }

    /// An edge to a site of this kind: mostly a new one.
    pub(super) fn site_edge(&mut self, t: ThreadId, kind: SiteKind, text: &str, spec: EdgeSpec) {
        let sites = self.b.program().sites.iter_enumerated();
        let known: Vec<_> = sites.filter(|(_, s)| s.kind == kind).map(|(id, _)| id).collect();
        let site = match known.is_empty() || !self.rng.one_in(6) {
            true => self.b.site(kind, text),
            false => *self.rng.pick(&known),
        };
        self.b.leave(t, LocKind::Stopped, spec.site(site));
    }

    /// The edge for an operation inside an atomic section that would have to wait for `ready`.
    pub(super) fn blocked_site(&mut self, t: ThreadId, ready: ProgExpr) {
        let not = self.b.pool().not(ready);
        let text = self.name("blocked");
        let spec = EdgeSpec::new("would wait").guard(not).atomic_access();
        self.site_edge(t, SiteKind::AtomicBlocked, &text, spec);
    }
}
