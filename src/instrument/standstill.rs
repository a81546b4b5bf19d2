//! Local deadlocks: cycles of waiting threads, and hangs at condition variables
//! ([`crate::program::standstill`] defines them).
//!
//! Guards are built anew from the program, with the value of one lock or one thread's status put in
//! place of the current one: what analysis knows of reachable states does not hold then.

use crate::base::{HashMap, Id, IndexVec};
use crate::encode::Encoding;
use crate::program::standstill::{Local, Standstill, is_taking};
use crate::program::{
    Edge, EdgeId, Leaf, LocId, LocKind, ProgExpr, Program, Role, Status, Sync, ThreadId, VarId,
    whole,
};
use crate::ts::TsExpr;

use super::targets::is_at;

/// Whether such a local deadlock is there, the end of the process and atomic sections apart.
pub(super) fn standstill(
    program: &Program,
    found: &Standstill,
    kind: Local,
    encoding: &mut Encoding,
) -> TsExpr {
    let mut guards = Guards { program, encoding };
    match kind {
        Local::Cycle => guards.cycle(found),
        Local::Hang(condition) => guards.hang(found, condition),
    }
}

/// Builds guards in the current state.
struct Guards<'a> {
    program: &'a Program,
    encoding: &'a mut Encoding,
}

/// A value to be put in place of a variable's.
type Given = Option<(VarId, u128)>;

impl Guards<'_> {
    fn no(&mut self) -> TsExpr {
        self.encoding.ts.pool.bool(false)
    }

    fn and(&mut self, a: TsExpr, b: TsExpr) -> TsExpr {
        self.encoding.ts.pool.and(a, b)
    }

    fn or(&mut self, a: TsExpr, b: TsExpr) -> TsExpr {
        self.encoding.ts.pool.or(a, b)
    }

    fn is(&mut self, v: VarId, value: u128) -> TsExpr {
        let now = self.value(v, None);
        let width = self.program.vars[v].width;
        let value = self.encoding.ts.pool.constant(value, width);
        self.encoding.ts.pool.eq(now, value)
    }

    fn is_not_0(&mut self, v: VarId) -> TsExpr {
        let zero = self.is(v, 0);
        self.encoding.ts.pool.not(zero)
    }

    fn value(&mut self, v: VarId, given: Given) -> TsExpr {
        let Encoding { ts, states, .. } = &mut *self.encoding;
        match given {
            Some((other, value)) if other == v => {
                ts.pool.constant(value, self.program.vars[v].width)
            }
            _ => states.current(self.program, ts, v),
        }
    }

    /// An expression of an edge that has no inputs.
    fn expr(&mut self, edge: &Edge, e: ProgExpr, given: Given) -> TsExpr {
        let program = self.program;
        let mut leaves = vec![];
        program.pool.for_each_leaf(e, |leaf, width| leaves.push((leaf, width)));
        let mut values: HashMap<Leaf, TsExpr> = HashMap::default();
        for (leaf, width) in leaves {
            let value = match leaf {
                Leaf::Var(v) => self.value(v, given),
                Leaf::Address(o) => {
                    let address = u128::from(program.objects[o].address);
                    self.encoding.ts.pool.constant(address, width)
                }
                Leaf::Loaded(d) => {
                    let mut loaded = self.encoding.ts.pool.constant(0, width);
                    for (hit, v) in self.hits(edge, d, given) {
                        let value = self.value(v, given);
                        loaded = self.encoding.ts.pool.ite(hit, value, loaded);
                    }
                    loaded
                }
                Leaf::Valid(d) => {
                    let hits = self.hits(edge, d, given);
                    let no = self.no();
                    hits.into_iter().fold(no, |a, (hit, _)| self.or(a, hit))
                }
                Leaf::Input(_) => unreachable!("guards have no inputs"),
            };
            values.insert(leaf, value);
        }
        program.pool.translate(
            e,
            &mut self.encoding.ts.pool,
            &mut |_, leaf, _| values[&leaf],
            &mut HashMap::default(),
        )
    }

    /// What a dereference is about, and when.
    fn hits(
        &mut self,
        edge: &Edge,
        deref: crate::program::DerefId,
        given: Given,
    ) -> Vec<(TsExpr, VarId)> {
        let addr = self.expr(edge, edge.derefs[deref].addr, given);
        let mut result = vec![];
        for (at, v, alive) in whole(self.program, edge, deref) {
            let pool = &mut self.encoding.ts.pool;
            let at = pool.constant(u128::from(at), pool.width(addr));
            let mut hit = pool.eq(addr, at);
            if let Some(alive) = alive {
                let alive = self.is(alive, 1);
                hit = self.and(hit, alive);
            }
            result.push((hit, v));
        }
        result
    }

    /// Whether the thread is at the location and cannot go on from there.
    fn waits_at(&mut self, t: ThreadId, loc: LocId) -> TsExpr {
        let mut free = self.no();
        let edges: Vec<EdgeId> = self.program.threads[t].edges_from(loc).map(|e| e.0).collect();
        for e in edges {
            let edge = &self.program.threads[t].edges[e];
            let guard = self.expr(edge, edge.guard, None);
            free = self.or(free, guard);
        }
        let here = is_at(self.encoding, t, loc);
        let waits = self.encoding.ts.pool.not(free);
        self.and(here, waits)
    }

    /// The scheduling points at which a thread may wait for somebody else or a signal.
    fn places(&self, found: &Standstill, t: ThreadId) -> Vec<LocId> {
        let thread = &self.program.threads[t];
        let list = self.encoding.points[t].list().iter().copied();
        list.filter(|&l| {
            let location = &thread.locations[l];
            let takes = thread.edges_from(l).any(|(_, e)| is_taking(e));
            let waits = location.kind == LocKind::Running && location.blocking;
            waits && !location.atomic && (takes || found.is_relocked(t, l))
        })
        .collect()
    }

    fn cycle(&mut self, found: &Standstill) -> TsExpr {
        let program = self.program;
        let count = program.threads.len();
        let no = self.no();
        let mut waits: IndexVec<ThreadId, IndexVec<ThreadId, TsExpr>> =
            IndexVec::filled(IndexVec::filled(no, count), count);
        for t in program.threads.ids() {
            for loc in self.places(found, t) {
                if found.is_relocked(t, loc) {
                    let here = is_at(self.encoding, t, loc);
                    waits[t][t] = self.or(waits[t][t], here);
                }
                let takes = |e: &&Edge| is_taking(e);
                let edges: Vec<&Edge> =
                    program.threads[t].edges_from(loc).map(|(_, e)| e).filter(takes).collect();
                if edges.is_empty() {
                    continue;
                }
                let here = self.waits_at(t, loc);
                for edge in edges {
                    self.others(found, edge, here, &mut waits[t]);
                }
            }
        }
        self.closed(waits)
    }

    /// Adds for whom a thread waits that could take the edge if it was given something.
    fn others(
        &mut self,
        found: &Standstill,
        edge: &Edge,
        here: TsExpr,
        waits: &mut IndexVec<ThreadId, TsExpr>,
    ) {
        if let Sync::Join(u) = edge.sync {
            let status = self.program.threads[u].status;
            let guard = self.expr(edge, edge.guard, Some((status, Status::ENDED)));
            let would = self.and(here, guard);
            waits[u] = self.or(waits[u], would);
            return;
        }
        for v in locks(self.program, edge) {
            let guard = self.expr(edge, edge.guard, Some((v, 0)));
            let would = self.and(here, guard);
            let holders: Vec<(ThreadId, TsExpr)> = if self.program.vars[v].role == Role::Readers {
                let readers = found.readers(v).iter();
                readers.map(|&(u, held)| (u, self.is_not_0(held))).collect()
            } else {
                let ids = self.program.threads.ids();
                ids.map(|u| (u, self.is(v, u.index() as u128 + 1))).collect()
            };
            for (u, has) in holders {
                let both = self.and(would, has);
                waits[u] = self.or(waits[u], both);
            }
        }
    }

    /// Whether some thread waits for itself in the end.
    fn closed(&mut self, mut waits: IndexVec<ThreadId, IndexVec<ThreadId, TsExpr>>) -> TsExpr {
        let ids: Vec<ThreadId> = self.program.threads.ids().collect();
        for &via in &ids {
            for &a in &ids {
                for &b in &ids {
                    let longer = self.and(waits[a][via], waits[via][b]);
                    waits[a][b] = self.or(waits[a][b], longer);
                }
            }
        }
        let no = self.no();
        ids.into_iter().fold(no, |some, t| self.or(some, waits[t][t]))
    }

    fn hang(&mut self, found: &Standstill, condition: VarId) -> TsExpr {
        let program = self.program;
        let (mut some, mut all) = (self.no(), self.encoding.ts.pool.bool(true));
        for (t, thread) in program.threads.iter_enumerated() {
            let set = self.value(condition, None);
            let inside = self.encoding.ts.pool.extract(set, t.index() as u32, 1);
            let mut waits = self.no();
            for loc in self.places(found, t) {
                let here = self.waits_at(t, loc);
                waits = self.or(waits, here);
            }
            waits = self.and(waits, inside);
            some = self.or(some, waits);
            let mut hope = self.no();
            for loc in self.encoding.points[t].list().to_vec() {
                if !found.may_signal(t, loc, condition) {
                    continue;
                }
                let mut here = is_at(self.encoding, t, loc);
                if t.index() != 0 && loc == thread.start {
                    let unborn = self.is(thread.status, Status::FREE);
                    let born = self.encoding.ts.pool.not(unborn);
                    here = self.and(here, born);
                }
                hope = self.or(hope, here);
            }
            let lost = self.encoding.ts.pool.not(hope);
            let lost = self.or(lost, waits);
            all = self.and(all, lost);
        }
        self.and(some, all)
    }
}

/// The owners and numbers of readers of locks that the edge's guard looks at.
fn locks(program: &Program, edge: &Edge) -> Vec<VarId> {
    let mut result = vec![];
    program.pool.for_each_leaf(edge.guard, |leaf, _| match leaf {
        Leaf::Var(v) => result.push(v),
        Leaf::Loaded(d) => result.extend(whole(program, edge, d).map(|w| w.1)),
        _ => {}
    });
    result.retain(|&v| matches!(program.vars[v].role, Role::MutexOwner | Role::Readers));
    result.sort_unstable();
    result.dedup();
    result
}
