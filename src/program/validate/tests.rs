//! Each rule is broken once, in a program that is valid before.

use std::sync::Arc;

use super::{Part, Rule, validate};
use crate::base::{FileId, Id};
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::{
    Assign, DerefId, Edge, EdgeId, InputId, Leaf, Lifetime, LocId, LocKind, ObjId, Program, Role,
    Scope, SiteId, Status, Sync, Target, ThreadId, VarId,
};

const MAIN: usize = 0;
const WORKER: usize = 1;

/// `main`: l0 choose, l1 store by address, l2 assert, l4 atomic section with an assert, exit;
/// `worker`: start, x = 1, end.
fn valid() -> Program {
    let mut b = ProgramBuilder::new(4);
    let (main, worker) = (b.thread("main"), b.thread("worker"));
    let (x, local) = (b.shared("x", 8, 3), b.local(main, "i", 8, 0));
    let mutex = b.mutex("m");
    let (object, _) = b.object("a", 64, 4, &[(0, 8, 7), (2, 16, 0)]);
    b.object("c", 72, 4, &[(0, 32, 0)]);
    b.lifetime(object, true);
    let n = b.input("n", 8);
    b.input("unused", 8);

    let choice = b.program().input(n);
    b.set(main, local, choice);
    let mut spec = EdgeSpec::new("*p = i");
    let addr = b.program().address(object);
    let d = spec.deref(addr, 1, Some(&[object]));
    let value = b.var(local);
    b.next(main, spec.store(d, value));
    let zero = b.has_value(local, 0);
    b.assert(main, zero, "i == 0");
    b.atomic_begin(main);
    b.assert(main, zero, "i == 0 in the section");
    b.atomic_end(main);
    b.lock(main, mutex);
    b.end_process(main);
    let one = b.value_for(x, 1);
    b.set(worker, x, one);
    b.end(worker);
    b.finish()
}

fn edge(p: &mut Program, t: usize, e: usize) -> &mut Edge {
    &mut p.threads[ThreadId::new(t)].edges[EdgeId::new(e)]
}

fn var(p: &Program, name: &str) -> VarId {
    p.vars.iter_enumerated().find(|(_, v)| v.name == name).expect("declared above").0
}

#[track_caller]
fn refused(rule: Rule, breaks: impl FnOnce(&mut Program)) -> Part {
    let mut p = valid();
    breaks(&mut p);
    let invalid = validate(&p).expect_err("the rule is broken");
    assert_eq!(invalid.rule, rule, "{invalid}");
    invalid.part
}

#[test]
fn the_example_is_valid() {
    assert_eq!(validate(&valid()), Ok(()));
}

#[test]
fn variables() {
    let part = refused(Rule::Width, |p| p.vars[VarId::new(2)].width = 0);
    assert_eq!(part, Part::Var(VarId::new(2)));
    refused(Rule::Width, |p| p.vars[VarId::new(2)].width = 129);
    refused(Rule::Width, |p| p.inputs[InputId::new(1)].width = 0);
    refused(Rule::Init, |p| p.vars[VarId::new(2)].init = 256);
    refused(Rule::UniqueName, |p| p.vars[VarId::new(3)].name = "x".to_string());
    refused(Rule::IdRange, |p| p.vars[VarId::new(2)].scope = Scope::Local(ThreadId::new(2)));
    refused(Rule::RoleWidth, |p| p.vars[VarId::new(0)].width = 3);
    refused(Rule::Init, |p| p.vars[VarId::new(0)].init = Status::ENDED + 1);
    refused(Rule::RoleMatch, |p| p.vars[VarId::new(2)].role = Role::Result(ThreadId::new(2)));
    refused(Rule::RoleWidth, |p| {
        let m = var(p, "m");
        p.vars[m].width = 1;
    });
    refused(Rule::RoleWidth, |p| {
        let alive = var(p, "a.alive");
        p.vars[alive].width = 2;
    });
    refused(Rule::RoleMatch, |p| {
        let x = var(p, "x");
        (p.vars[x].role, p.vars[x].width) = (Role::Status(ThreadId::new(1)), 2);
    });
}

#[test]
fn objects() {
    let (a, c) = (ObjId::new(0), ObjId::new(1));
    refused(Rule::PointerBytes, |p| p.pointer_bytes = 2);
    refused(Rule::ObjectAddress, |p| p.objects[a].address = 0);
    refused(Rule::ObjectAddress, |p| p.objects[c].address = (1 << 32) - 3);
    refused(Rule::ObjectDisjoint(a), |p| p.objects[c].address = 68);
    refused(Rule::ObjectDisjoint(a), |p| p.objects[c].address = 64);
    refused(Rule::LeafOrder, |p| p.objects[a].size = 3);
    refused(Rule::LeafOrder, |p| p.objects[a].leaves.reverse());
    refused(Rule::LeafOrder, |p| p.objects[a].leaves[0].0 = 2);
    refused(Rule::LeafOrder, |p| {
        let first = p.objects[a].leaves[0];
        p.objects[a].leaves.insert(0, first);
    });
    refused(Rule::LeafOwner, |p| {
        p.objects[a].leaves.pop();
    });
    refused(Rule::LeafOwner, |p| {
        let x = var(p, "x");
        p.objects[a].leaves[0].1 = x;
        let leaf = var(p, "a[0]");
        p.vars[leaf].object = None;
    });
    refused(Rule::LeafWidth, |p| {
        let leaf = var(p, "a[0]");
        p.vars[leaf].width = 7;
    });
    refused(Rule::RoleMatch, |p| p.objects[a].lifetime = Lifetime::Static);
    refused(Rule::RoleMatch, |p| p.objects[c].lifetime = p.objects[a].lifetime);
}

#[test]
fn threads_and_locations() {
    let worker = ThreadId::new(WORKER);
    refused(Rule::HasMain, |p| p.threads = crate::base::IndexVec::new());
    refused(Rule::UniqueName, |p| p.threads[worker].name = "main".to_string());
    refused(Rule::IdRange, |p| p.threads[worker].start = LocId::new(99));
    refused(Rule::RoleMatch, |p| p.threads[worker].status = VarId::new(0));
    refused(Rule::StartWaits, |p| {
        p.threads[worker].locations[LocId::new(0)].blocking = false;
    });
    refused(Rule::StartWaits, |p| p.threads[worker].locations[LocId::new(0)].atomic = true);
    refused(Rule::StartWaits, |p| {
        let always = p.pool.bool(true);
        edge(p, WORKER, 0).guard = always;
    });
    refused(Rule::ReusableEnds, |p| p.threads[worker].reusable = true);
    refused(Rule::BlockingKind, |p| {
        let end = edge(p, WORKER, 2).to;
        p.threads[worker].locations[end].blocking = true;
    });
    refused(Rule::EdgeFromDone, |p| {
        let (from, again) = (edge(p, WORKER, 2).to, edge(p, WORKER, 1).clone());
        p.threads[worker].edges.push(Edge { from, to: LocId::new(1), ..again });
    });
    refused(Rule::DeadEnd, |p| {
        let end = edge(p, WORKER, 2).to;
        p.threads[worker].locations[end].kind = LocKind::Running;
    });
    refused(Rule::IdRange, |p| {
        p.threads[worker].locations[LocId::new(0)].span.file = FileId::new(1);
    });
}

#[test]
fn edges() {
    let part = refused(Rule::IdRange, |p| edge(p, MAIN, 0).to = LocId::new(99));
    assert_eq!(part, Part::Edge(ThreadId::new(MAIN), EdgeId::new(0)));
    refused(Rule::IdRange, |p| edge(p, MAIN, 2).site = Some(SiteId::new(9)));
    refused(Rule::SiteStops, |p| edge(p, MAIN, 0).site = Some(SiteId::new(0)));
    refused(Rule::IdRange, |p| edge(p, MAIN, 0).sync = Sync::Join(ThreadId::new(2)));
    refused(Rule::AtomicStop, |p| {
        let main = ThreadId::new(MAIN);
        let site = SiteId::new(1);
        let to = p.threads[main].edges.iter().find(|e| e.site == Some(site)).unwrap().to;
        p.threads[main].locations[to].atomic = false;
    });
    refused(Rule::ExpressionWidth, |p| {
        let eight = p.pool.constant(1, 8);
        edge(p, MAIN, 0).guard = eight;
    });
    refused(Rule::ExpressionWidth, |p| {
        let nine = p.pool.constant(1, 9);
        edge(p, MAIN, 0).assigns[0].value = nine;
    });
    refused(Rule::ExpressionWidth, |p| {
        let short = p.pool.leaf(Leaf::Var(VarId::new(2)), 7);
        let value = p.pool.zero_extend(short, 8);
        edge(p, MAIN, 0).assigns[0].value = value;
    });
    refused(Rule::IdRange, |p| {
        let unknown = p.pool.leaf(Leaf::Var(VarId::new(99)), 8);
        edge(p, MAIN, 0).assigns[0].value = unknown;
    });
    refused(Rule::IdRange, |p| {
        let unknown = p.pool.leaf(Leaf::Valid(DerefId::new(0)), 1);
        edge(p, MAIN, 0).guard = unknown;
    });
    refused(Rule::WrittenTwice, |p| {
        let again = edge(p, MAIN, 0).assigns[0];
        edge(p, MAIN, 0).assigns.push(again);
    });
}

#[test]
fn inputs() {
    refused(Rule::InputOnce(InputId::new(0)), |p| {
        let value = edge(p, MAIN, 0).assigns[0].value;
        edge(p, MAIN, 1).assigns[0].value = value;
    });
    refused(Rule::GuardInput(InputId::new(1)), |p| {
        let unused = p.input(InputId::new(1));
        let guard = p.pool.is_nonzero(unused);
        edge(p, MAIN, 0).guard = guard;
    });
    refused(Rule::GuardInput(InputId::new(1)), |p| {
        let unused = p.input(InputId::new(1));
        let addr = p.pool.zero_extend(unused, 32);
        let valid = p.pool.leaf(Leaf::Valid(DerefId::new(0)), 1);
        let store = edge(p, MAIN, 1);
        store.derefs[DerefId::new(0)].addr = addr;
        store.guard = valid;
    });
    refused(Rule::GuardInput(InputId::new(1)), |p| {
        let unused = p.input(InputId::new(1));
        edge(p, MAIN, 1).derefs[DerefId::new(0)].addr = p.pool.zero_extend(unused, 32);
    });
}

#[test]
fn accesses() {
    let d = DerefId::new(0);
    refused(Rule::DerefBytes(d), |p| edge(p, MAIN, 1).derefs[d].bytes = 17);
    refused(Rule::IdRange, |p| {
        edge(p, MAIN, 1).derefs[d].objects = Some(Arc::from([ObjId::new(2)]));
    });
    refused(Rule::NestedDeref(d), |p| {
        let valid = p.pool.leaf(Leaf::Valid(d), 1);
        let addr = p.pool.zero_extend(valid, 32);
        edge(p, MAIN, 1).derefs[d].addr = addr;
    });
    refused(Rule::ForeignLocal(VarId::new(3)), |p| {
        let i = p.var(VarId::new(3));
        edge(p, WORKER, 1).assigns[0].value = i;
    });
    refused(Rule::ForeignLocal(VarId::new(3)), |p| {
        edge(p, WORKER, 1).assigns[0].target = Target::Var(VarId::new(3));
    });
    let leaf = var(&valid(), "a[0]");
    refused(Rule::LocalByAddress(leaf), |p| {
        p.vars[leaf].scope = Scope::Local(ThreadId::new(MAIN));
    });
    // x = x: a load and a store; *x = i: x and the bytes; *p = i together with i = *p.
    refused(Rule::PlainAccesses, |p| {
        let value = p.var(VarId::new(2));
        edge(p, WORKER, 1).assigns[0].value = value;
    });
    refused(Rule::PlainAccesses, |p| {
        let x = p.var(VarId::new(2));
        edge(p, MAIN, 1).derefs[d].addr = p.pool.zero_extend(x, 32);
    });
    refused(Rule::PlainAccesses, |p| {
        let loaded = p.pool.leaf(Leaf::Loaded(d), 8);
        edge(p, MAIN, 1).assigns.push(Assign { target: Target::Var(VarId::new(3)), value: loaded });
    });
    let mut p = valid();
    let value = p.var(VarId::new(2));
    edge(&mut p, WORKER, 1).assigns[0].value = value;
    edge(&mut p, WORKER, 1).atomic_access = true;
    assert_eq!(validate(&p), Ok(()));
}
