//! Rules about edges and their expressions.

use super::check::Checker;
use super::error::{Invalid, Part, Rule};
use crate::base::{HashSet, Id};
use crate::program::{
    Edge, EdgeId, Leaf, LocKind, Place, ProgExpr, Scope, Sync, Target, ThreadId, VarId, accesses,
    candidates, is_shared,
};

/// Checks an edge whose ends are locations of the thread.
pub(super) fn check_edge(
    checker: &mut Checker<'_>,
    t: ThreadId,
    e: EdgeId,
    edge: &Edge,
) -> Result<(), Invalid> {
    let mut check = EdgeCheck { checker, t, e, edge };
    check.checker.span(edge.span, Part::Edge(t, e))?;
    check.expressions()?;
    check.targets()?;
    check.control()?;
    check.inputs()?;
    check.scopes()
}

struct EdgeCheck<'a, 'p> {
    checker: &'a mut Checker<'p>,
    t: ThreadId,
    e: EdgeId,
    edge: &'a Edge,
}

impl EdgeCheck<'_, '_> {
    fn ensure(&self, holds: bool, rule: Rule) -> Result<(), Invalid> {
        self.checker.ensure(holds, Part::Edge(self.t, self.e), rule)
    }

    /// The leaves of an expression of the pool that has this width.
    fn leaves(&self, e: ProgExpr, width: u32) -> Result<Vec<Leaf>, Invalid> {
        let pool = &self.checker.program.pool;
        self.ensure(e.index() < pool.len(), Rule::IdRange)?;
        self.ensure(pool.width(e) == width, Rule::ExpressionWidth)?;
        let mut leaves = vec![];
        let mut broken = None;
        pool.for_each_leaf(e, |leaf, w| {
            let bytes = |d| self.edge.derefs.get(d).map(|d| d.bytes);
            broken = broken.or(self.checker.leaf_fits(leaf, w, bytes).err());
            leaves.push(leaf);
        });
        match broken {
            Some(rule) => self.ensure(false, rule).map(|()| leaves),
            None => Ok(leaves),
        }
    }

    fn expressions(&self) -> Result<(), Invalid> {
        let p = self.checker.program;
        for (d, deref) in self.edge.derefs.iter_enumerated() {
            self.ensure((1..=16).contains(&deref.bytes), Rule::DerefBytes(d))?;
            let leaves = self.leaves(deref.addr, 8 * p.pointer_bytes)?;
            let nested = leaves.iter().any(|l| matches!(l, Leaf::Loaded(_) | Leaf::Valid(_)));
            self.ensure(!nested, Rule::NestedDeref(d))?;
            let mut objects = deref.objects.iter().flat_map(|list| list.iter());
            self.ensure(objects.all(|&o| p.objects.get(o).is_some()), Rule::IdRange)?;
        }
        self.leaves(self.edge.guard, 1)?;
        for assign in &self.edge.assigns {
            let width = match assign.target {
                Target::Var(v) => p.vars.get(v).map(|v| v.width),
                Target::Deref(d) => self.edge.derefs.get(d).map(|d| 8 * d.bytes),
            };
            self.ensure(width.is_some(), Rule::IdRange)?;
            if let Some(width) = width {
                self.leaves(assign.value, width)?;
            }
        }
        Ok(())
    }

    fn targets(&self) -> Result<(), Invalid> {
        let mut written = HashSet::default();
        let twice = self.edge.assigns.iter().any(|a| !written.insert(a.target));
        self.ensure(!twice, Rule::WrittenTwice)
    }

    fn control(&self) -> Result<(), Invalid> {
        let p = self.checker.program;
        let locations = &p.threads[self.t].locations;
        let (from, to) = (&locations[self.edge.from], &locations[self.edge.to]);
        if let Some(site) = self.edge.site {
            self.ensure(p.sites.get(site).is_some(), Rule::IdRange)?;
            let stops = to.kind == LocKind::Stopped;
            let waits = to.kind == LocKind::Running && to.blocking;
            let fits = if p.sites[site].kind.stops() { stops } else { waits };
            self.ensure(fits, Rule::SiteStops)?;
        }
        if let Sync::Create(t) | Sync::Join(t) = self.edge.sync {
            self.ensure(p.threads.get(t).is_some(), Rule::IdRange)?;
        }
        let stops = matches!(to.kind, LocKind::Stopped | LocKind::Discarded);
        let opens = from.atomic && !to.atomic && self.edge.sync != Sync::AtomicEnd;
        self.ensure(!(stops && opens), Rule::AtomicStop)
    }

    fn inputs(&mut self) -> Result<(), Invalid> {
        let pool = &self.checker.program.pool;
        let mut fixed = vec![self.edge.guard];
        fixed.extend(self.edge.derefs.iter().map(|d| d.addr));
        let values: Vec<ProgExpr> = self.edge.assigns.iter().map(|a| a.value).collect();
        let inputs_of = |list: &[ProgExpr]| {
            let mut inputs = vec![];
            for &e in list {
                pool.for_each_leaf(e, |leaf, _| {
                    if let Leaf::Input(i) = leaf {
                        inputs.push(i);
                    }
                });
            }
            inputs
        };
        if let Some(&i) = inputs_of(&fixed).first() {
            self.ensure(false, Rule::GuardInput(i))?;
        }
        let here = (self.t, self.e);
        for i in inputs_of(&values) {
            let first = *self.checker.input_edges[i].get_or_insert(here);
            self.ensure(first == here, Rule::InputOnce(i))?;
        }
        Ok(())
    }

    fn scopes(&self) -> Result<(), Invalid> {
        let p = self.checker.program;
        let list = accesses(p, self.edge);
        let own = |v: VarId| match p.vars[v].scope {
            Scope::Shared => true,
            Scope::Local(t) => t == self.t,
        };
        for access in &list {
            if let Place::Var(v) = access.place {
                self.ensure(own(v), Rule::ForeignLocal(v))?;
            }
        }
        for d in self.edge.derefs.ids() {
            for o in candidates(p, self.edge, d) {
                let local = p.objects[o].leaves.iter().find(|l| p.vars[l.1].scope != Scope::Shared);
                if let Some(&(_, v)) = local {
                    self.ensure(false, Rule::LocalByAddress(v))?;
                }
            }
        }
        // A variable that is read for the guard and for a value is loaded once.
        let shared: HashSet<(Place, bool)> = list
            .iter()
            .filter(|a| is_shared(p, a.place))
            .map(|a| (a.place, a.is_write()))
            .collect();
        let plain = !self.edge.atomic_access && self.edge.sync == Sync::None;
        self.ensure(!plain || shared.len() <= 1, Rule::PlainAccesses)
    }
}
