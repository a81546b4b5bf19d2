//! Small programs built by hand, each about one rule of the encoding, with the verdict that
//! follows from the meaning of thread programs.

use latchwork::analysis::points_to;
use latchwork::base::Budget;
use latchwork::driver::{Loaded, ReductionChoice, check_program, check_reduced};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::build::{EdgeSpec, ProgramBuilder};
use latchwork::program::{LocKind, Program, SiteKind, Sync, Undefined};
use latchwork::property::PropertyKind;
use latchwork::report::{CheckReport, PropertyVerdict};
use latchwork::sched::Reduction;

fn check(mut program: Program, property: PropertyKind) -> CheckReport {
    points_to(&mut program);
    latchwork::program::validate(&program).expect("valid");
    let engine = Bmc(BmcOptions::default());
    let loaded = Loaded { program, warnings: vec![] };
    check_program(loaded, &[property], &engine, &mut Silent, &Budget::unlimited()).expect("checked")
}

fn is_safe(report: &CheckReport) -> bool {
    matches!(report.properties[0].verdict, PropertyVerdict::Safe(_))
}

fn is_unsafe(report: &CheckReport, property: &PropertyKind) -> bool {
    let found = report.properties.iter().find(|p| p.property == *property);
    found.is_some_and(|p| p.verdict == PropertyVerdict::Unsafe)
}

/// `[atomic_begin] x = 1; assume(0) [atomic_end]` against `assert(x == 0)`.
fn discarding_writer(atomic: bool) -> Program {
    let mut b = ProgramBuilder::new(8);
    let x = b.shared("x", 8, 0);
    let main = b.thread("main");
    let writer = b.thread("writer");
    b.create(main, writer);
    let zero = b.has_value(x, 0);
    b.assert(main, zero, "x == 0");
    b.end(main);
    if atomic {
        b.atomic_begin(writer);
    }
    let one = b.value_for(x, 1);
    b.set(writer, x, one);
    b.leave(writer, LocKind::Discarded, EdgeSpec::new("assume(0)").sync(Sync::Discard));
    b.finish()
}

#[test]
fn effects_before_a_discard_stay() {
    assert!(is_unsafe(
        &check(discarding_writer(false), PropertyKind::Assert),
        &PropertyKind::Assert
    ));
}

#[test]
fn a_discard_inside_an_atomic_section_keeps_it_closed() {
    assert!(is_safe(&check(discarding_writer(true), PropertyKind::Assert)));
}

/// A dereference of an object whose lifetime is `alive` at that time.
fn dereference(alive_at_start: bool, ends: bool) -> Program {
    let mut b = ProgramBuilder::new(8);
    let main = b.thread("main");
    let p = b.local(main, "main.p", 64, 0);
    let (object, _) = b.object("o", 0x1000, 4, &[(0, 32, 7)]);
    let alive = b.lifetime(object, alive_at_start);
    let address = b.program().address(object);
    b.set(main, p, address);
    if ends {
        let dead = b.value_for(alive, 0);
        b.next(main, EdgeSpec::new("end of lifetime").set(alive, dead).atomic_access());
    }
    let from = b.at(main);
    let site = b.site(SiteKind::Undefined(Undefined::InvalidDereference), "*p");
    let addr = b.var(p);
    let l = b.local(main, "main.l", 32, 0);
    let mut good = EdgeSpec::new("l = *p");
    let d = good.deref(addr, 4, None);
    let (valid, loaded) = (b.valid(d), b.loaded(d, 4));
    let good = good.guard(valid).set(l, loaded);
    let mut bad = EdgeSpec::new("*p");
    let d = bad.deref(addr, 4, None);
    let valid = b.valid(d);
    let invalid = b.pool().not(valid);
    b.next(main, good);
    let stop = b.location(main, LocKind::Stopped, false);
    b.add(main, from, stop, bad.guard(invalid).site(site));
    let seven = b.has_value(l, 7);
    b.assert(main, seven, "l == 7");
    b.end(main);
    b.finish()
}

#[test]
fn a_dereference_is_valid_while_its_object_is_alive() {
    assert!(is_safe(&check(dereference(true, false), PropertyKind::Assert)));
    for (start, ends) in [(true, true), (false, false)] {
        let report = check(dereference(start, ends), PropertyKind::Assert);
        assert!(is_unsafe(&report, &PropertyKind::Undefined), "{start} {ends}");
        assert!(!is_safe(&report), "undefined behaviour spoils the other verdict");
    }
}

/// Without a guard that asks whether the dereference is valid, as `--assume-defined` leaves it: a
/// store to a dead object does nothing, and a load from it is 0.
#[test]
fn an_unguarded_dereference_depends_on_the_lifetime() {
    for (is_store, alive, expected) in
        [(true, true, 9), (true, false, 7), (false, true, 7), (false, false, 0)]
    {
        let mut b = ProgramBuilder::new(8);
        let main = b.thread("main");
        let (object, leaves) = b.object("o", 0x1000, 4, &[(0, 32, 7)]);
        let alive_now = b.lifetime(object, true);
        let l = b.local(main, "main.l", 32, 0);
        let value = b.value_for(alive_now, u128::from(alive));
        b.next(main, EdgeSpec::new("lifetime").set(alive_now, value).atomic_access());
        let address = b.program().address(object);
        let mut access = EdgeSpec::new("access");
        let d = access.deref(address, 4, None);
        let result = if is_store {
            let nine = b.value_for(l, 9);
            b.next(main, access.store(d, nine));
            leaves[0]
        } else {
            let loaded = b.loaded(d, 4);
            b.next(main, access.set(l, loaded));
            l
        };
        let right = b.has_value(result, expected);
        b.assert(main, right, "as expected");
        b.end(main);
        let report = check(b.finish(), PropertyKind::Assert);
        assert!(is_safe(&report), "store {is_store}, alive {alive}");
    }
}

#[test]
fn unused_variables_and_writes_cost_nothing() {
    let mut b = ProgramBuilder::new(8);
    let (x, unused) = (b.shared("x", 8, 0), b.shared("unused", 32, 0));
    let main = b.thread("main");
    for k in 0..5 {
        let v = b.value_for(unused, k);
        b.set(main, unused, v);
    }
    let three = b.value_for(x, 3);
    b.set(main, x, three);
    let ok = b.has_value(x, 3);
    b.assert(main, ok, "x == 3");
    b.end(main);
    let report = check(b.finish(), PropertyKind::Assert);
    assert!(is_safe(&report));
    // What is left is whether main has ended.
    let sizes = report.circuits[0].statistics.expect("it was built");
    assert_eq!((sizes.latches, sizes.ands), (1, 0));
}

/// A loop whose head is reached from the start without a visible operation and has none itself:
/// `for (;;) { x = 1; x = 0; }`. If the step that starts the thread went on over `x = 1`, then
/// `x = 0` would go on over it, too, and no 0 were to be seen behind a 1.
#[test]
fn the_start_joins_no_loop() {
    let mut b = ProgramBuilder::new(8);
    let x = b.shared("x", 8, 0);
    let main = b.thread("main");
    let writer = b.thread("writer");
    b.create(main, writer);
    let (zero, one) = (b.value_for(x, 0), b.value_for(x, 1));
    let head = b.at(writer);
    b.next(writer, EdgeSpec::new("for (;;)"));
    for value in [one, zero] {
        b.set(writer, x, value);
    }
    b.jump(writer, head);
    let (l, k) = (b.local(main, "main.l", 8, 0), b.local(main, "main.k", 8, 0));
    for local in [l, k] {
        let value = b.var(x);
        b.set(main, local, value);
    }
    // Between two writes of 1 there is a 0 to be seen.
    let (was_one, is_zero) = (b.has_value(l, 1), b.has_value(k, 0));
    let seen = b.pool().and(was_one, is_zero);
    let not_seen = b.pool().not(seen);
    b.assert(main, not_seen, "no 1 and then 0");
    b.end(main);
    assert!(is_unsafe(&check(b.finish(), PropertyKind::Assert), &PropertyKind::Assert));
}

/// `x = 5; x = 0; create(worker)`, and `worker` sets `x = 1`.
#[test]
fn an_invariant_is_looked_at_before_threads_are_created() {
    let program = || {
        let mut b = ProgramBuilder::new(8);
        let x = b.shared("x", 8, 0);
        let main = b.thread("main");
        let worker = b.thread("worker");
        for value in [5, 0] {
            let value = b.value_for(x, value);
            b.set(main, x, value);
        }
        b.create(main, worker);
        b.end(main);
        let one = b.value_for(x, 1);
        b.set(worker, x, one);
        b.end(worker);
        b.finish()
    };
    for (text, violated) in [("x != 5", true), ("x != 1", true), ("x != 7", false)] {
        let property = PropertyKind::Invariant(text.into());
        assert_eq!(is_unsafe(&check(program(), property.clone()), &property), violated, "{text}");
    }
}

/// Threads that add to one counter under one mutex, `main` joins them and looks at the sum.
fn adders(count: usize) -> Program {
    let mut b = ProgramBuilder::new(8);
    let (x, m) = (b.shared("x", 8, 0), b.mutex("m"));
    let main = b.thread("main");
    let workers: Vec<_> = (0..count).map(|k| b.thread(&format!("t{k}"))).collect();
    for &t in &workers {
        b.create(main, t);
        b.lock(t, m);
        let more = b.plus(x, 1);
        b.next(t, EdgeSpec::new("x++").set(x, more));
        b.unlock(t, m);
        b.end(t);
    }
    for &t in &workers {
        b.join(main, t);
    }
    let all = b.has_value(x, count as u128);
    b.assert(main, all, "x == count");
    b.end(main);
    b.finish()
}

/// Sums commute: in Foata form all threads add in one frame, however many there are.
#[test]
fn threads_add_in_one_frame() {
    let depth = |count| {
        let mut program = adders(count);
        points_to(&mut program);
        let loaded = Loaded { program, warnings: vec![] };
        let engine = Bmc(BmcOptions::default());
        let choice = ReductionChoice::Fixed(Reduction::ParallelTransactions);
        let budget = Budget::unlimited();
        let asked = [PropertyKind::Assert];
        let report =
            check_reduced(loaded, &asked, choice, &engine, &mut Silent, &budget).expect("checked");
        assert!(is_safe(&report));
        report.properties[0].depth.expect("complete")
    };
    assert_eq!(depth(2), depth(8));
}
