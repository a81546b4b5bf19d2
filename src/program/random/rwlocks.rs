//! Random uses of a read-write lock.

use super::generator::Generator;
use crate::program::build::EdgeSpec;
use crate::program::{ProgExpr, SiteKind, Sync, ThreadId, Undefined, VarId};

impl Generator<'_> {
    /// Whether a statement that can be about a mutex or the read-write lock is about a mutex.
    pub(super) fn uses_mutex(&mut self) -> bool {
        self.rwlock.is_none() || (!self.mutexes.is_empty() && self.rng.one_in(2))
    }

    /// A section in which the thread holds the lock.
    pub(super) fn rw_section(&mut self, t: ThreadId, depth: usize) {
        let (owner, readers) = self.rwlock.expect("there is one");
        let reads = self.rng.one_in(2);
        let spec = self.taking(t, owner, readers, reads);
        self.b.wait(t, spec);
        self.block(t, depth);
        self.rw_unlock(t, owner, readers);
    }

    /// Takes the lock, tries to, or gives it back.
    pub(super) fn rw_operation(&mut self, t: ThreadId, owner: VarId, readers: VarId) {
        let reads = self.rng.one_in(2);
        match self.rng.below(3) {
            0 => self.rw_unlock(t, owner, readers),
            1 => self.rw_try(t, owner, readers, reads),
            _ if self.b.is_atomic(t) => {
                let free = self.may_take(owner, readers, reads);
                self.blocked_site(t, free);
                let spec = self.taking(t, owner, readers, reads);
                self.b.next(t, spec);
            }
            _ => {
                let spec = self.taking(t, owner, readers, reads);
                self.b.wait(t, spec);
            }
        }
    }

    /// Whether the lock can be taken for reading, or for writing.
    fn may_take(&mut self, owner: VarId, readers: VarId, reads: bool) -> ProgExpr {
        let free = self.b.has_value(owner, 0);
        if reads {
            return free;
        }
        let none = self.b.has_value(readers, 0);
        self.b.pool().and(free, none)
    }

    /// The edge that takes it.
    fn taking(&mut self, t: ThreadId, owner: VarId, readers: VarId, reads: bool) -> EdgeSpec {
        let guard = self.may_take(owner, readers, reads);
        let spec = if reads {
            let more = self.b.plus(readers, 1);
            EdgeSpec::new("rdlock").set(readers, more).sync(Sync::ReadLock)
        } else {
            let mine = self.b.owner(t);
            EdgeSpec::new("wrlock").set(owner, mine).sync(Sync::Lock)
        };
        spec.guard(guard).atomic_access()
    }

    fn rw_try(&mut self, t: ThreadId, owner: VarId, readers: VarId, reads: bool) {
        let v = self.local(t);
        let (yes, no) = (self.b.value_for(v, 1), self.b.value_for(v, 0));
        let from = self.b.at(t);
        let taken = self.taking(t, owner, readers, reads).set(v, yes);
        let to = self.b.next(t, taken);
        let free = self.may_take(owner, readers, reads);
        let busy = self.b.pool().not(free);
        let failed = EdgeSpec::new("try fails").guard(busy).set(v, no);
        self.b.add(t, from, to, failed.atomic_access());
    }

    /// Gives it back, or a site if the thread cannot hold it.
    fn rw_unlock(&mut self, t: ThreadId, owner: VarId, readers: VarId) {
        let (mine, now) = (self.b.owner(t), self.b.var(owner));
        let writes = self.b.pool().eq(now, mine);
        let (free, none) = (self.b.has_value(owner, 0), self.b.has_value(readers, 0));
        let some = self.b.pool().not(none);
        let reads = self.b.pool().and(free, some);
        let either = self.b.pool().or(writes, reads);
        let neither = self.b.pool().not(either);
        let text = self.name("unlock");
        let kind = SiteKind::Undefined(Undefined::MutexMisuse);
        self.site_edge(t, kind, &text, EdgeSpec::new("unlock").guard(neither).atomic_access());
        let (nobody, less) = (self.b.value_for(owner, 0), self.b.plus(readers, 7));
        let from = self.b.at(t);
        let written = EdgeSpec::new("unlock").guard(writes).set(owner, nobody).sync(Sync::Unlock);
        let to = self.b.next(t, written.atomic_access());
        let read = EdgeSpec::new("unlock").guard(reads).set(readers, less).sync(Sync::ReadUnlock);
        self.b.add(t, from, to, read.atomic_access());
    }
}
