//! What an edge reads and writes.

use super::types::{
    DerefId, Edge, Leaf, Lifetime, ObjId, ProgExpr, ProgPool, Program, Scope, Target, VarId,
};
use crate::base::{HashSet, Id};

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A variable, by name.
    Var(VarId),
    /// The bytes of a dereference of the edge.
    Deref(DerefId),
}

/// How it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// Read to know whether the edge can be taken: by the guard, or by an address that the guard
    /// depends on.
    Guard,
    /// Read for the assignments: by a value, or by the address of a dereference that the guard
    /// does not depend on.
    Value,
    /// Written.
    Write,
}

/// One access of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// What is accessed.
    pub place: Place,
    /// How.
    pub kind: AccessKind,
}

impl Access {
    /// Whether it writes.
    pub fn is_write(self) -> bool {
        self.kind == AccessKind::Write
    }
}

/// The accesses of an edge, each once: reads for the guard, reads for the assignments, writes; in
/// each group in order of first occurrence.
///
/// A dereference counts as read where its [`Leaf::Loaded`] is used. [`Leaf::Valid`] alone reads
/// only the address and the lifetimes of its [`candidates`]; those lifetimes are not listed.
pub fn accesses(program: &Program, edge: &Edge) -> Vec<Access> {
    let pool = &program.pool;
    let mut found = Found::default();
    let in_guard = found.expression(pool, edge.guard, AccessKind::Guard);
    for &d in &in_guard {
        found.expression(pool, edge.derefs[d].addr, AccessKind::Guard);
    }
    for (d, deref) in edge.derefs.iter_enumerated() {
        if !in_guard.contains(&d) {
            found.expression(pool, deref.addr, AccessKind::Value);
        }
    }
    for assign in &edge.assigns {
        found.expression(pool, assign.value, AccessKind::Value);
    }
    for assign in &edge.assigns {
        let place = match assign.target {
            Target::Var(v) => Place::Var(v),
            Target::Deref(d) => Place::Deref(d),
        };
        found.add(place, AccessKind::Write);
    }
    found.list
}

/// Whether an access can be seen by other threads: any dereference, and any variable of scope
/// [`Scope::Shared`].
pub fn is_shared(program: &Program, place: Place) -> bool {
    match place {
        Place::Var(v) => program.vars[v].scope == Scope::Shared,
        Place::Deref(_) => true,
    }
}

/// The objects that a dereference may be in, ascending.
pub fn candidates(program: &Program, edge: &Edge, deref: DerefId) -> Vec<ObjId> {
    match &edge.derefs[deref].objects {
        None => program.objects.ids().collect(),
        Some(list) => {
            let mut list = list.to_vec();
            list.sort_unstable();
            list.dedup();
            list
        }
    }
}

/// The variables that a dereference of the edge may be about as a whole: offset of the first byte
/// from the address 0, and what must be 1 for the object to be alive.
pub fn whole(
    program: &Program,
    edge: &Edge,
    deref: DerefId,
) -> impl Iterator<Item = (u64, VarId, Option<VarId>)> {
    let width = 8 * edge.derefs[deref].bytes;
    candidates(program, edge, deref).into_iter().flat_map(move |o| {
        let object = &program.objects[o];
        let alive = match object.lifetime {
            Lifetime::Static => None,
            Lifetime::While(alive) => Some(alive),
        };
        let exact = object.leaves.iter().filter(move |l| program.vars[l.1].width == width);
        exact.map(move |&(offset, v)| (object.address + offset, v, alive))
    })
}

#[derive(Default)]
struct Found {
    list: Vec<Access>,
    known: HashSet<Access>,
}

impl Found {
    fn add(&mut self, place: Place, kind: AccessKind) {
        let access = Access { place, kind };
        if self.known.insert(access) {
            self.list.push(access);
        }
    }

    /// Adds what an expression reads; returns the dereferences that it depends on, ascending.
    fn expression(&mut self, pool: &ProgPool, e: ProgExpr, kind: AccessKind) -> Vec<DerefId> {
        let mut leaves = vec![];
        pool.for_each_leaf(e, |leaf, _| leaves.push(leaf));
        // The walk takes the last operand first; readers want the order of the text.
        leaves.reverse();
        let mut derefs = vec![];
        for leaf in leaves {
            match leaf {
                Leaf::Var(v) => self.add(Place::Var(v), kind),
                Leaf::Loaded(d) => {
                    self.add(Place::Deref(d), kind);
                    derefs.push(d);
                }
                Leaf::Valid(d) => derefs.push(d),
                Leaf::Address(_) | Leaf::Input(_) => {}
            }
        }
        derefs.sort_unstable_by_key(|d| d.index());
        derefs.dedup();
        derefs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Id;
    use crate::program::ThreadId;
    use crate::program::build::{EdgeSpec, ProgramBuilder};

    #[test]
    fn reads_are_told_by_what_needs_them() {
        let mut b = ProgramBuilder::new(4);
        let main = b.thread("main");
        let (p, q) = (b.shared("p", 32, 0), b.shared("q", 32, 0));
        let (x, y) = (b.local(main, "x", 8, 0), b.shared("y", 8, 0));
        let mut spec = EdgeSpec::new("*q = y + x, y = *p");
        let (ep, eq) = (b.var(p), b.var(q));
        let (load, store) = (spec.deref(ep, 1, None), spec.deref(eq, 1, None));
        let (ex, ey) = (b.var(x), b.var(y));
        let (loaded, sum) = (b.loaded(load, 1), b.pool().op2(crate::expr::Op2::Add, ey, ex));
        let (valid, positive) = (b.valid(load), b.pool().is_nonzero(ex));
        let guard = b.pool().and(valid, positive);
        b.next(main, spec.guard(guard).store(store, sum).set(y, loaded));
        let program = b.finish();

        let edge = &program.threads[ThreadId::new(0)].edges.as_slice()[0];
        let var = |v, kind| Access { place: Place::Var(v), kind };
        let deref = |d, kind| Access { place: Place::Deref(d), kind };
        let list = accesses(&program, edge);
        let expected = [
            var(x, AccessKind::Guard),
            var(p, AccessKind::Guard),
            var(q, AccessKind::Value),
            var(y, AccessKind::Value),
            var(x, AccessKind::Value),
            deref(load, AccessKind::Value),
            deref(store, AccessKind::Write),
            var(y, AccessKind::Write),
        ];
        assert_eq!(list, expected);
        let shared = list.iter().filter(|a| is_shared(&program, a.place)).count();
        assert_eq!(shared, 6);
        assert!(list[7].is_write() && !list[0].is_write());
    }
}
