//! Scheduling points: where a step of a thread begins and ends.

use crate::analysis::{Facts, Sharing, Transactions};
use crate::base::{HashSet, IndexVec};
use crate::program::{EdgeId, Leaf, LocId, LocKind, Program, Role, Sync, Target, ThreadId};

/// The scheduling points of one thread. A program counter holds an index of [`Points::list`].
#[derive(Clone, Debug)]
pub struct Points {
    list: Vec<LocId>,
    index: IndexVec<LocId, Option<u32>>,
    order: Vec<LocId>,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
}

impl Points {
    /// Chooses the scheduling points: the start, every location whose next operation is visible
    /// to another thread or may block, the entry of an atomic section, `observed` locations and
    /// those before them (to get there is visible), one location of each cycle that has none of
    /// these, and the locations where a thread stops. Inside an atomic section only loops have
    /// points.
    ///
    /// With `transactions`, the boundaries of these take the place of visible and blocking
    /// locations.
    pub fn new(
        program: &Program,
        facts: &Facts,
        thread: ThreadId,
        observed: &HashSet<LocId>,
        transactions: Option<&Transactions>,
    ) -> Self {
        let t = &program.threads[thread];
        let outgoing = facts.outgoing(program, thread);
        let mut is_point = IndexVec::<LocId, bool>::filled(false, t.locations.len());
        for (loc, l) in t.locations.iter_enumerated() {
            let visible = outgoing[loc].iter().any(|&e| {
                facts.is_visible(program, thread, e) && !ends_unnoticed(program, facts, thread, e)
            });
            let enters = outgoing[loc].iter().any(|&e| {
                t.edges[e].sync == Sync::AtomicBegin || observed.contains(&t.edges[e].to)
            });
            is_point[loc] = loc == t.start
                || l.kind != LocKind::Running
                || match transactions {
                    Some(found) => found.is_boundary(thread, loc) || (l.atomic && l.blocking),
                    None => {
                        l.blocking || (!l.atomic && (visible || enters || observed.contains(&loc)))
                    }
                };
        }
        let mut this = Self {
            list: vec![],
            index: IndexVec::filled(None, t.locations.len()),
            order: vec![],
            outgoing,
        };
        this.cut_cycles(program, thread, &mut is_point);
        this.sort(program, facts, thread, &is_point);
        this
    }

    /// Depth-first search that makes the target of each backward edge a point.
    fn cut_cycles(
        &self,
        program: &Program,
        thread: ThreadId,
        is_point: &mut IndexVec<LocId, bool>,
    ) {
        let t = &program.threads[thread];
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut mark = IndexVec::<LocId, Mark>::filled(Mark::New, t.locations.len());
        let roots: Vec<LocId> = t.locations.ids().filter(|&l| is_point[l]).collect();
        for root in roots {
            let mut stack = vec![(root, 0usize)];
            while let Some((loc, k)) = stack.pop() {
                if k == 0 {
                    mark[loc] = Mark::Open;
                }
                let Some(&e) = self.outgoing[loc].get(k) else {
                    mark[loc] = Mark::Done;
                    continue;
                };
                stack.push((loc, k + 1));
                let to = t.edges[e].to;
                if is_point[to] {
                    continue;
                }
                match mark[to] {
                    Mark::New => stack.push((to, 0)),
                    Mark::Open => is_point[to] = true,
                    Mark::Done => {}
                }
            }
        }
    }

    /// Numbers the reachable points and orders all reachable locations so that every edge that
    /// ends in no point goes forward.
    fn sort(
        &mut self,
        program: &Program,
        facts: &Facts,
        thread: ThreadId,
        is_point: &IndexVec<LocId, bool>,
    ) {
        let t = &program.threads[thread];
        let reachable = |l: LocId| facts.ranges.is_reachable(thread, l);
        for loc in t.locations.ids().filter(|&l| is_point[l] && (reachable(l) || l == t.start)) {
            self.index[loc] = Some(self.list.len() as u32);
            self.list.push(loc);
        }
        // The start is value 0, so that a program counter starts at zero.
        let start = self.list.iter().position(|&l| l == t.start).expect("the start is a point");
        self.list.swap(0, start);
        for (k, &l) in self.list.iter().enumerate() {
            self.index[l] = Some(k as u32);
        }
        let mut done = IndexVec::<LocId, bool>::filled(false, t.locations.len());
        let mut postorder = vec![];
        for &root in &self.list {
            let mut stack = vec![(root, 0usize)];
            done[root] = true;
            while let Some((loc, k)) = stack.pop() {
                let Some(&e) = self.outgoing[loc].get(k) else {
                    postorder.push(loc);
                    continue;
                };
                stack.push((loc, k + 1));
                let to = t.edges[e].to;
                if !done[to] && self.index[to].is_none() {
                    done[to] = true;
                    stack.push((to, 0));
                }
            }
        }
        postorder.reverse();
        self.order = postorder;
    }

    /// The points; a program counter holds a position of this list, and starts at 0.
    pub fn list(&self) -> &[LocId] {
        &self.list
    }

    /// The program counter's value at a location, if it is a point.
    pub fn index(&self, loc: LocId) -> Option<u32> {
        self.index[loc]
    }

    /// All locations that a run can reach; an edge to a location that is no point leads forward.
    pub fn order(&self) -> &[LocId] {
        &self.order
    }

    /// The edges that a run can take from a location.
    pub fn outgoing(&self, loc: LocId) -> &[EdgeId] {
        &self.outgoing[loc]
    }

    /// Width of the program counter in bits; 0 if there is only one point.
    pub fn width(&self) -> u32 {
        (self.list.len() - 1).checked_ilog2().map_or(0, |b| b + 1)
    }
}

/// Whether the edge ends the thread and nobody can tell when: it writes the thread's own status
/// and result only, which others read only after the end, so it moves left over the steps of
/// others and belongs to the step before.
fn ends_unnoticed(program: &Program, facts: &Facts, thread: ThreadId, edge: EdgeId) -> bool {
    let t = &program.threads[thread];
    let e = &t.edges[edge];
    let own = |target: Target| match target {
        Target::Var(v) => {
            let role = program.vars[v].role;
            let own = v == t.status || role == Role::Result(thread);
            facts.sharing(v) != Sharing::Shared || (own && !facts.is_observed(v))
        }
        Target::Deref(_) => false,
    };
    let mut reads_shared = false;
    for root in std::iter::once(e.guard).chain(e.assigns.iter().map(|a| a.value)) {
        program.pool.for_each_leaf(root, |leaf, _| match leaf {
            Leaf::Var(v) => reads_shared |= facts.sharing(v) == Sharing::Shared,
            Leaf::Loaded(_) | Leaf::Valid(_) => reads_shared = true,
            Leaf::Address(_) | Leaf::Input(_) => {}
        });
    }
    e.sync == Sync::ThreadEnd
        && facts.raced_accesses(program, thread, edge).is_empty()
        && !facts.is_observed(t.status)
        && !reads_shared
        && e.assigns.iter().all(|a| own(a.target))
}
