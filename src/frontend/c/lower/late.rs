//! Edges that can be made only when all thread instances are known.

use super::state::{Context, Lower, R};
use crate::base::Id;
use crate::program::{
    Assign, Edge, LocId, ObjId, ProgExpr, SiteId, Status, Sync, Target, ThreadId,
};

/// An operation whose edges are missing.
pub struct Late {
    pub thread: ThreadId,
    pub from: LocId,
    pub to: LocId,
    /// Depth of atomic sections there.
    pub depth: u32,
    pub context: Context,
    pub kind: LateKind,
}

/// What is missing.
pub enum LateKind {
    /// A signal: the edge but for what it writes to `target`, which holds `value`.
    Signal { edge: Edge, value: ProgExpr, target: Target },
    /// `sem_post`: the edge, the one that fails, and when the semaphore is `full`. There is no check
    /// where all posts are too few for that.
    Post { edge: Edge, fails: Edge, full: ProgExpr },
    /// `free` of the object at this address, and the site if there is none. Before that it is copied
    /// to the object at the other address, one of those listed, if that is not NULL; else nothing
    /// is freed.
    Free { address: ProgExpr, copy: Option<(ProgExpr, Vec<ObjId>)>, site: Option<SiteId> },
    /// `pthread_detach` of this thread, and the site if it is none.
    Detach { id: ProgExpr, site: Option<SiteId> },
}

impl Lower<'_> {
    /// Adds the edges of all late operations.
    pub fn late_edges(&mut self) -> R<()> {
        for late in std::mem::take(&mut self.late) {
            let k = late.thread.index();
            std::mem::swap(&mut self.graph, &mut self.built[k].graph);
            self.thread = late.thread;
            self.depth = late.depth;
            self.context = late.context.clone();
            let result = self.late_edge(late);
            std::mem::swap(&mut self.graph, &mut self.built[k].graph);
            result?;
        }
        Ok(())
    }

    fn late_edge(&mut self, late: Late) -> R<()> {
        match late.kind {
            LateKind::Signal { mut edge, value, target } => {
                let value = self.without_one(value);
                edge.assigns.push(Assign { target, value });
                self.push_edge(edge)
            }
            LateKind::Post { edge, .. } if !self.semaphores_may_be_full() => self.push_edge(edge),
            LateKind::Post { mut edge, mut fails, full } => {
                let not = self.not(full);
                edge.guard = self.and(edge.guard, not);
                fails.guard = self.and(fails.guard, full);
                self.push_edge(edge)?;
                self.push_edge(fails)
            }
            LateKind::Free { address, copy, site } => {
                self.free_edges((late.from, late.to), address, copy.as_ref(), site)
            }
            LateKind::Detach { id, site } => self.detach_edges(late.from, late.to, id, site),
        }
    }

    fn free_edges(
        &mut self,
        (from, to): (LocId, LocId),
        address: ProgExpr,
        copy: Option<&(ProgExpr, Vec<ObjId>)>,
        site: Option<SiteId>,
    ) -> R<()> {
        let mut null = self.eq_const(address, 0);
        if let Some((target, _)) = copy {
            let failed = self.eq_const(*target, 0);
            null = self.prog.pool.or(null, failed);
        }
        let edge = self.plain_edge(from, to, null);
        self.push_edge(edge)?;
        let mut rest = self.not(null);
        for o in self.heap.clone() {
            let here = self.prog.address(o);
            let is = self.op2(crate::expr::Op2::Eq, address, here);
            let alive = self.alive_var(o);
            let lives = self.var(alive);
            let guard = self.and(is, lives);
            let mut targets = vec![(guard, None)];
            if let Some((target, objects)) = copy {
                targets.clear();
                let goes = self.and(guard, rest);
                for &new in objects.iter().filter(|&&new| new != o) {
                    let there = self.prog.address(new);
                    let is = self.op2(crate::expr::Op2::Eq, *target, there);
                    targets.push((self.and(goes, is), Some(new)));
                }
            }
            for (guard, new) in targets {
                let mut edge = self.plain_edge(from, to, guard);
                if let Some(new) = new {
                    edge.assigns = self.copy_assigns(o, new);
                }
                let no = self.constant(0, 1);
                edge.assigns.push(Assign { target: Target::Var(alive), value: no });
                edge.sync = Sync::Free(o);
                edge.atomic_access = true;
                self.push_edge(edge)?;
            }
            let not = self.not(guard);
            rest = self.and(rest, not);
        }
        let stop = self.stopped();
        let mut edge = self.plain_edge(from, if site.is_some() { stop } else { to }, rest);
        edge.site = site;
        edge.atomic_access = true;
        self.push_edge(edge)
    }

    /// The assignments that copy what an object holds to the beginning of another one.
    fn copy_assigns(&mut self, old: ObjId, new: ObjId) -> Vec<Assign> {
        let source = self.prog.objects[old].leaves.clone();
        let mut assigns = vec![];
        for (at, v) in self.prog.objects[new].leaves.clone() {
            let value = self.var(v);
            let value = source.iter().fold(value, |value, &(start, part)| {
                let part = self.var(part);
                self.overwritten(value, 8 * at, part, 8 * start)
            });
            if value != self.var(v) {
                assigns.push(Assign { target: Target::Var(v), value });
            }
        }
        assigns
    }

    fn detach_edges(
        &mut self,
        from: LocId,
        to: LocId,
        id: ProgExpr,
        site: Option<SiteId>,
    ) -> R<()> {
        let mut rest = self.prog.pool.bool(true);
        for k in 0..self.instances.len() {
            let is = self.eq_const(id, k as u128 + 1);
            if self.prog.pool.is_false(is) {
                continue;
            }
            let status = self.instances[k].status;
            for (old, new) in [(Status::RUNNING, Status::DETACHED), (Status::ENDED, Status::FREE)] {
                let value = self.var(status);
                let here = self.eq_const(value, old);
                let mut guard = self.and(is, here);
                if let Some(joined) = self.instances[k].joined.filter(|_| old == Status::ENDED) {
                    let joined = self.var(joined);
                    let not = self.not(joined);
                    guard = self.and(guard, not);
                }
                let mut edge = self.plain_edge(from, to, guard);
                let value = self.constant(new, 2);
                edge.assigns.push(Assign { target: Target::Var(status), value });
                edge.atomic_access = true;
                self.push_edge(edge)?;
                let not = self.not(guard);
                rest = self.and(rest, not);
            }
        }
        if self.prog.pool.is_false(rest) {
            return Ok(());
        }
        let stop = self.stopped();
        let mut edge = self.plain_edge(from, if site.is_some() { stop } else { to }, rest);
        edge.site = site;
        edge.atomic_access = true;
        self.push_edge(edge)
    }
}
