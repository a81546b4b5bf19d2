//! Programs whose states can be counted by hand.

use super::*;
use crate::base::{Budget, Cancel, Id, Stop};
use crate::expr::Op2;
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::{
    LocKind, Machine, Program, SiteId, State, ThreadId, VarId, run_step, validate,
};

fn explore(program: &Program, options: ExploreOptions) -> Exploration {
    validate(program).unwrap();
    let machine = Machine::new(program);
    let found = Explorer::new(&machine, options).run(&Budget::unlimited()).unwrap();
    for (site, run) in found.violated() {
        assert_eq!(replay(&machine, run).1, Some(site));
    }
    found
}

fn default(program: &Program) -> Exploration {
    explore(program, ExploreOptions::default())
}

/// The last state of a run, and the site that its last edge violates.
fn replay(machine: &Machine<'_>, run: &Run) -> (State, Option<SiteId>) {
    let mut state = machine.initial();
    let mut site = None;
    for step in run {
        let mut value = |i| step.inputs.iter().find(|x| x.0 == i).expect("inputs are listed").1;
        let infos = run_step(machine, &mut state, step.thread, step.until, &mut value, 1).unwrap();
        site = infos[0].site;
    }
    (state, site)
}

/// `main` creates `other`; then both run their code.
fn pair(code: impl Fn(&mut ProgramBuilder, ThreadId)) -> (ProgramBuilder, ThreadId, ThreadId) {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    b.create(main, other);
    code(&mut b, main);
    code(&mut b, other);
    b.end(other);
    (b, main, other)
}

#[test]
fn independent_writes_make_a_grid() {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let (x, y) = (b.shared("x", 1, 0), b.shared("y", 1, 0));
    b.create(main, other);
    for (t, v) in [(main, x), (other, y)] {
        let one = b.value_for(v, 1);
        b.set(t, v, one);
        b.end(t);
    }
    // After the creation, main has 3 locations and the other thread 4.
    for visited in [VisitedKind::Exact, VisitedKind::Hash128] {
        let options = ExploreOptions { visited, ..Default::default() };
        let found = explore(b.program(), options);
        assert_eq!((found.states, found.transitions, found.depth), (1 + 12, 1 + 8 + 9, 6));
        assert_eq!(found.terminals, Terminals { ended: 1, ..Default::default() });
        assert_eq!((found.incomplete, found.deadlock), (None, None));
    }
}

/// Both threads add 1 to `x` by a load and a store, perhaps under a mutex; then `x == 2`.
fn increments(locked: bool) -> Program {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let (x, m) = (b.shared("x", 2, 0), b.mutex("m"));
    b.create(main, other);
    for t in [main, other] {
        let copy = b.local(t, &format!("copy{}", t.index()), 2, 0);
        if locked {
            b.lock(t, m);
        }
        let (load, sum) = (b.var(x), b.plus(copy, 1));
        b.set(t, copy, load);
        b.set(t, x, sum);
        if locked {
            b.unlock(t, m);
        }
    }
    b.end(other);
    b.join(main, other);
    let two = b.has_value(x, 2);
    b.assert(main, two, "x == 2");
    b.end_process(main);
    b.finish()
}

#[test]
fn a_lost_update_is_found_by_a_shortest_run() {
    let found = default(&increments(false));
    let (site, run) = found.violated().next().expect("an update can be lost");
    // create, start, two loads, two stores, end, join, assert.
    assert_eq!((site, run.len()), (SiteId::new(0), 9));
    // One thread after the other, in two orders, and the lost update: copies 0 1, 1 0 and 0 0.
    assert_eq!(found.terminals, Terminals { stopped: 3, ..Default::default() });
}

#[test]
fn a_mutex_prevents_the_lost_update() {
    let found = default(&increments(true));
    assert_eq!(found.violated().count(), 0);
    assert_eq!(found.terminals, Terminals { stopped: 2, ..Default::default() });
}

#[test]
fn an_atomic_section_prevents_the_lost_update() {
    for atomic in [false, true] {
        let mut b = ProgramBuilder::new(4);
        let (main, other) = (b.thread("main"), b.thread("other"));
        let x = b.shared("x", 2, 0);
        b.create(main, other);
        for t in [main, other] {
            let copy = b.local(t, &format!("copy{}", t.index()), 2, 0);
            if atomic {
                b.atomic_begin(t);
            }
            let (load, sum) = (b.var(x), b.plus(copy, 1));
            b.set(t, copy, load);
            b.set(t, x, sum);
            if atomic {
                b.atomic_end(t);
            }
        }
        b.end(other);
        b.join(main, other);
        let two = b.has_value(x, 2);
        b.assert(main, two, "x == 2");
        b.end_process(main);
        assert_eq!(default(b.program()).violated().count(), usize::from(!atomic));
    }
}

#[test]
fn locks_in_opposite_order_can_deadlock() {
    let mut b = ProgramBuilder::new(4);
    let (m, n) = (b.mutex("m"), b.mutex("n"));
    let (main, other) = (b.thread("main"), b.thread("other"));
    b.create(main, other);
    for (t, order) in [(main, [m, n]), (other, [n, m])] {
        b.lock(t, order[0]);
        b.lock(t, order[1]);
        b.unlock(t, n);
        b.unlock(t, m);
        b.end(t);
    }
    let found = default(b.program());
    assert_eq!(found.terminals, Terminals { ended: 1, deadlock: 1, ..Default::default() });
    // create, start, one lock each.
    let run = found.deadlock.expect("there is a deadlock");
    assert_eq!(run.len(), 4);
    let machine = Machine::new(b.program());
    let (state, _) = replay(&machine, &run);
    assert_eq!((state.value(m), state.value(n)), (1, 2));
}

#[test]
fn a_false_assume_discards_and_keeps_earlier_effects() {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let (x, i) = (b.shared("x", 1, 0), b.local(other, "i", 1, 0));
    b.create(main, other);
    let one = b.value_for(x, 1);
    b.set(main, x, one);
    let never = b.pool().bool(false);
    b.assume(main, never);
    b.end_process(main);
    let load = b.var(x);
    b.set(other, i, load);
    let zero = b.has_value(i, 0);
    b.assert(other, zero, "x == 0");
    b.end(other);
    let found = default(b.program());
    assert_eq!(found.violated().count(), 1);
    // The other thread read 0 or 1, and ended or stopped.
    assert_eq!(found.terminals, Terminals { discarded: 2, ..Default::default() });
}

#[test]
fn all_values_of_inputs_are_tried() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (x, y) = (b.local(main, "x", 2, 0), b.local(main, "y", 3, 0));
    let (n, o) = (b.input("n", 2), b.input("o", 3));
    let (en, eo) = (b.program().input(n), b.program().input(o));
    b.next(main, EdgeSpec::new("choose").set(x, en).set(y, eo));
    let (is_two, is_five) = (b.has_value(x, 2), b.has_value(y, 5));
    let both = b.pool().and(is_two, is_five);
    let not = b.pool().not(both);
    b.assert(main, not, "not (2, 5)");
    b.end_process(main);
    let found = default(b.program());
    // 32 values; after the assertion 31, which then end the process; one stops.
    assert_eq!((found.states, found.transitions), (1 + 32 + 32 + 31, 32 + 32 + 31));
    let (_, run) = found.violated().next().unwrap();
    assert_eq!(run[0].inputs, vec![(n, 2), (o, 5)]);

    let machine = Machine::new(b.program());
    let options = ExploreOptions { input_bits: 4, ..Default::default() };
    let error = Explorer::new(&machine, options).run(&Budget::unlimited()).unwrap_err();
    let name = "o".to_string();
    assert_eq!(error, ExploreError::InputTooWide { input: o, name, bits: 5, limit: 4 });
}

#[test]
fn limits_make_the_result_incomplete() {
    let (mut b, main, _) = pair(|b, t| {
        let i = b.local(t, &format!("i{}", t.index()), 6, 0);
        let next = b.plus(i, 1);
        let head = b.at(t);
        b.add(t, head, head, EdgeSpec::new("i++").set(i, next));
        let out = b.location(t, LocKind::Running, false);
        b.go(t, out);
    });
    b.end(main);
    let machine = Machine::new(b.program());
    let options = ExploreOptions { max_states: Some(100), ..Default::default() };
    let found = Explorer::new(&machine, options).run(&Budget::unlimited()).unwrap();
    assert_eq!(found.incomplete, Some(Incomplete::MaxStates(100)));
    assert!(found.states <= 102);
    let cancel = Cancel::new();
    cancel.cancel();
    let budget = Budget::new(None, None, cancel);
    let found = Explorer::new(&machine, ExploreOptions::default()).run(&budget).unwrap();
    assert_eq!(found.incomplete, Some(Incomplete::Stopped(Stop::Cancelled)));
    assert_eq!(found.states, 1);
    let found =
        Explorer::new(&machine, ExploreOptions::default()).run(&Budget::unlimited()).unwrap();
    // Before the creation, after it, and after the start with 64 values each.
    assert_eq!((found.incomplete, found.states), (None, 1 + 64 + 64 * 64));
}

#[test]
fn invariants_are_checked_in_every_state() {
    let program = increments(false);
    let machine = Machine::new(&program);
    let x = program.vars.iter_enumerated().find(|(_, v)| v.name == "x").unwrap().0;
    let (below_two, below_three) = (|s: &State| s.value(x) < 2, |s: &State| s.value(x) < 3);
    let mut seen = 0;
    let mut ends = 0;
    let mut visit = |_: &State, end: Option<Terminal>| {
        seen += 1;
        ends += usize::from(end.is_some());
    };
    let found = Explorer::new(&machine, ExploreOptions::default())
        .invariant(&below_two)
        .invariant(&below_three)
        .visit(&mut visit)
        .run(&Budget::unlimited())
        .unwrap();
    assert_eq!((seen, ends), (found.states, 3));
    let run = found.invariants[0].as_ref().expect("x becomes 2");
    assert_eq!(run.len(), 6);
    assert_eq!(replay(&machine, run).0.value(x), 2);
    assert_eq!(found.invariants[1], None);
}

#[test]
fn a_reduction_chooses_the_threads() {
    struct Lowest;
    impl Reduction for Lowest {
        fn choose(
            &mut self,
            _: &Machine<'_>,
            _: &State,
            enabled: &[ThreadId],
            chosen: &mut Vec<ThreadId>,
        ) {
            chosen.push(enabled[0]);
        }
    }
    let program = increments(false);
    let machine = Machine::new(&program);
    let found = Explorer::new(&machine, ExploreOptions::default())
        .reduction(&mut Lowest)
        .run(&Budget::unlimited())
        .unwrap();
    assert_eq!((found.violated().count(), found.states), (0, found.transitions + 1));
}

#[test]
fn merging_keeps_the_point_before_an_atomic_section() {
    // main: x = 1; atomic { read y }; the other writes y when it sees x == 1.
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let (x, y) = (b.shared("x", 1, 0), b.shared("y", 1, 0));
    let (i, k) = (b.local(main, "i", 1, 0), b.local(other, "k", 1, 0));
    b.create(main, other);
    let (one, load) = (b.value_for(x, 1), b.var(y));
    b.set(main, x, one);
    b.atomic_begin(main);
    b.set(main, i, load);
    b.atomic_end(main);
    let zero = b.has_value(i, 0);
    b.assert(main, zero, "y == 0");
    b.end_process(main);
    let (load, seen) = (b.var(x), b.has_value(k, 1));
    b.set(other, k, load);
    let (_, no) = b.branch(other, seen);
    b.set(other, y, one);
    b.jump(other, no);
    b.go(other, no);
    b.end(other);
    let full = default(b.program());
    let merged = explore(b.program(), ExploreOptions { local_merge: true, ..Default::default() });
    assert_eq!((full.violated().count(), merged.violated().count()), (1, 1));
    assert!(merged.states < full.states);
}

#[test]
fn a_merged_step_is_undone_before_the_next_value_of_an_input() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (x, i, n) = (b.shared("x", 2, 0), b.local(main, "i", 2, 0), b.input("n", 1));
    let choice = b.program().input(n);
    let (wide, ei) = (b.pool().zero_extend(choice, 2), b.var(i));
    let sum = b.pool().op2(Op2::Add, ei, wide);
    b.set(main, x, sum);
    for value in [2, 3] {
        let value = b.value_for(i, value);
        b.set(main, i, value);
    }
    b.end_process(main);
    let machine = Machine::new(b.program());
    let small = |s: &State| s.value(x) < 2;
    let found = Explorer::new(&machine, ExploreOptions { local_merge: true, ..Default::default() })
        .invariant(&small)
        .run(&Budget::unlimited())
        .unwrap();
    assert_eq!((found.invariants, found.states), (vec![None], 3));
}

#[test]
fn merging_stops_where_a_loop_of_local_edges_closes() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let i = b.local(main, "i", 2, 0);
    let (head, next) = (b.at(main), b.plus(i, 1));
    b.set(main, i, next);
    b.jump(main, head);
    let found = explore(b.program(), ExploreOptions { local_merge: true, ..Default::default() });
    assert_eq!((found.states, found.transitions), (4, 4));
}

/// Two threads, each with one step from a lock to the unlock that does `code` to its variable: the
/// same one and under the same mutex, or one of its own under its own.
fn sections(shared: bool, code: impl Fn(&mut ProgramBuilder, ThreadId, VarId)) -> Exploration {
    let mut b = ProgramBuilder::new(4);
    let threads = [b.thread("main"), b.thread("other"), b.thread("third")];
    let places = ["x", "y"].map(|n| (b.shared(n, 3, 0), b.mutex(&format!("m{n}"))));
    let mut inside = vec![];
    b.create(threads[0], threads[1]);
    b.create(threads[0], threads[2]);
    for (k, t) in [(0, threads[1]), (1, threads[2])] {
        let (x, m) = places[if shared { 0 } else { k }];
        b.lock(t, m);
        let begun = b.at(t);
        code(&mut b, t, x);
        inside.extend([(t, begun), (t, b.at(t))]);
        b.unlock(t, m);
        b.end(t);
    }
    b.join(threads[0], threads[1]);
    b.join(threads[0], threads[2]);
    let at_end = if shared { (places[0].0, 4) } else { (places[0].0, 2) };
    let right = b.has_value(at_end.0, at_end.1);
    b.assert(threads[0], right, "all is added");
    b.end(threads[0]);
    validate(b.program()).unwrap();
    let machine = Machine::new(b.program());
    let boundary = |t, l| !inside.contains(&(t, l));
    let explorer = StepExplorer::new(&machine, &boundary, Moves::Foata);
    explorer.run(&Budget::unlimited()).unwrap()
}

fn counts(found: &Exploration) -> (usize, usize, usize, bool) {
    let violated = found.violated().next().is_some();
    (found.states, found.transitions, found.depth, violated)
}

/// Steps that only add to a variable, under one mutex that each gives back, move together as if they
/// had nothing in common; steps that do something else with it do not.
#[test]
fn sums_commute() {
    let adds = |b: &mut ProgramBuilder, t: ThreadId, x: VarId| {
        let sum = b.plus(x, 2);
        b.next(t, EdgeSpec::new("add").set(x, sum).atomic_access());
    };
    assert_eq!(counts(&sections(true, adds)), counts(&sections(false, adds)));
    // Like `adds` where x is 0 or 2, as it always is, but not elsewhere.
    let saturates = |b: &mut ProgramBuilder, t: ThreadId, x: VarId| {
        let (sum, large) = (b.plus(x, 2), b.has_value(x, 6));
        let old = b.var(x);
        let value = b.pool().ite(large, old, sum);
        b.next(t, EdgeSpec::new("saturate").set(x, value).atomic_access());
    };
    let (together, apart) = (sections(true, saturates), sections(false, saturates));
    assert_ne!(counts(&together), counts(&apart));
    assert!(!counts(&together).3 && !counts(&apart).3);
}
