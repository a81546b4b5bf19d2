//! The sets that the stubborn-set scheduler chooses, in the states that its authors discuss:
//! figures 1 and 2 of Kahlon, Gupta and Sinha (CAV 2006), on the circuit of the C programs.

use std::collections::BTreeMap;
use std::path::Path;

use latchwork::base::{Budget, IndexVec};
use latchwork::driver::{
    CheckOptions, Circuit, CircuitOptions, Loaded, ProgramOptions, ReductionChoice, check_loaded,
    load,
};
use latchwork::encode::Stored;
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::{Program, Role, Status, ThreadId, VarId};
use latchwork::property::{PropertyKind, resolve};
use latchwork::report::PropertyVerdict;
use latchwork::sched::Reduction;
use latchwork::ts::Simulator;

/// A state: which statement comes next in each thread (none: it has not done its first step), and
/// who owns a mutex.
struct At<'a> {
    statements: &'a [(&'a str, Option<&'a str>)],
    owners: &'a [(&'a str, &'a str)],
}

fn loaded(file: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/c").join(file);
    let options = ProgramOptions { files: vec![path], ..ProgramOptions::default() };
    load(&options).expect("the program is read")
}

fn thread(program: &Program, name: &str) -> ThreadId {
    let mut all = program.threads.iter_enumerated();
    all.find(|(_, t)| t.name == name).expect("the program has it").0
}

/// The scheduler's signals in a state of a program's circuit; the threads of `J` of a thread by
/// name.
fn signals(file: &str, reduction: Reduction, at: &At<'_>) -> BTreeMap<String, bool> {
    signals_with(file, CircuitOptions { reduction, ..CircuitOptions::default() }, at)
}

fn signals_with(file: &str, options: CircuitOptions, at: &At<'_>) -> BTreeMap<String, bool> {
    let Loaded { program, .. } = loaded(file);
    let question = resolve(&program, &[PropertyKind::Assert]).expect("no formula");
    let options = CircuitOptions { probe: true, whole_run: true, ..options };
    let circuit =
        Circuit::build(&program, &question, options, &Budget::unlimited()).expect("built");
    let encoding = circuit.encoding();
    let mut ts = encoding.ts.clone();
    let mut set = |v: VarId, value: u128| match encoding.states.stored(v) {
        Stored::State { state, .. } => ts.states[state].init = Some(value),
        Stored::Constant(known) => assert_eq!(known, value),
    };
    for &(mutex, owner) in at.owners {
        let owner = program.threads.ids().position(|t| t == thread(&program, owner));
        let is = |v: &VarId| {
            program.vars[*v].role == Role::MutexOwner && program.vars[*v].name.starts_with(mutex)
        };
        let v = program.vars.ids().find(is).expect("the program has it");
        set(v, owner.expect("found") as u128 + 1);
    }
    for &(name, _) in at.statements.iter().filter(|s| s.0 != "main") {
        set(program.threads[thread(&program, name)].status, Status::RUNNING);
    }
    for &(name, statement) in at.statements {
        let t = thread(&program, name);
        let points = &encoding.points[t];
        let is_next =
            |text: &str, loc| program.threads[t].edges_from(loc).any(|(_, e)| &*e.text == text);
        let point = match statement {
            None => 0,
            Some(text) => {
                let found = points.list().iter().position(|&loc| is_next(text, loc));
                found.unwrap_or_else(|| panic!("{name} has no point at {text}"))
            }
        };
        let pc = encoding.threads[t].pc.expect("the thread has several points");
        ts.states[pc].init = Some(point as u128);
    }
    let select = at.statements.iter().position(|s| s.0 == "thread1").expect("listed") as u128;
    let mut simulator = Simulator::new(&ts, |_| 0);
    let inputs: IndexVec<_, u128> = ts.inputs.iter().map(|_| select).collect();
    simulator.evaluate(|i| inputs[i]);
    ts.outputs.iter().map(|o| (o.name.clone(), simulator.is_true(o.value))).collect()
}

/// `J` of the first worker, checked to be the choice of the scheduler if it is that worker alone.
fn set_of_thread1(file: &str, reduction: Reduction, at: &At<'_>) -> Vec<&'static str> {
    let signals = signals(file, reduction, at);
    let all = ["main", "thread1", "thread2"];
    let set: Vec<&str> = all.into_iter().filter(|u| signals[&format!("J.thread1.{u}")]).collect();
    assert!(signals["J.thread1.thread1"]);
    if set == ["thread1"] {
        let chosen: Vec<&str> =
            all.into_iter().filter(|u| signals[&format!("cstub.{u}")]).collect();
        assert_eq!(chosen.len(), 1, "{signals:?}");
        if chosen == set {
            assert!(signals["execute.thread1"]);
        }
    }
    assert!(!signals["sticky.thread1"]);
    set
}

#[test]
fn figure_1_with_the_other_thread_before_its_section() {
    // 3a holding lk, 1b: what T2 does with x has to wait for the lock.
    for start in [None, Some("pthread_mutex_lock(&lk);")] {
        let at = At {
            statements: &[
                ("main", Some("pthread_join(a, 0);")),
                ("thread1", Some("x = 1;")),
                ("thread2", start),
            ],
            owners: &[("lk", "thread1")],
        };
        let file = "kahlon_figure1_interference.c";
        assert_eq!(set_of_thread1(file, Reduction::LockPatterns, &at), ["thread1"]);
        assert_eq!(set_of_thread1(file, Reduction::Stubborn, &at), ["thread1", "thread2"]);
    }
}

#[test]
fn figure_1_with_the_other_thread_behind_its_section() {
    // 3a holding lk, 5b: nothing keeps T2 from its store to x.
    let at = At {
        statements: &[
            ("main", Some("pthread_join(a, 0);")),
            ("thread1", Some("x = 1;")),
            ("thread2", Some("x = 6;")),
        ],
        owners: &[("lk", "thread1")],
    };
    let file = "kahlon_figure1_interference.c";
    assert_eq!(set_of_thread1(file, Reduction::LockPatterns, &at), ["thread1", "thread2"]);
    // The store is T2's last statement, so its end belongs to the step; to st, which knows no
    // tokens, that is something that main, which joins it, may read.
    let set = set_of_thread1(file, Reduction::Stubborn, &at);
    assert_eq!(set, ["main", "thread1", "thread2"]);
}

#[test]
fn figure_2_has_no_lock_in_common() {
    // 6a holding lk1, 1b: the store of T2 is under lk2, but on its way it needs lk1.
    for start in [None, Some("pthread_mutex_lock(&lk2);")] {
        let at = At {
            statements: &[
                ("main", Some("pthread_join(a, 0);")),
                ("thread1", Some("x = 0;")),
                ("thread2", start),
            ],
            owners: &[("lk1", "thread1")],
        };
        let file = "kahlon_figure2.c";
        assert_eq!(set_of_thread1(file, Reduction::LockPatterns, &at), ["thread1"]);
        assert_eq!(set_of_thread1(file, Reduction::Stubborn, &at), ["thread1", "thread2"]);
    }
}

/// With three ways to the other store, each under a lock that the thread holds, the third set of
/// locks is what tells that all are closed: with fewer, what two have in common is nothing.
#[test]
fn so_many_sets_of_locks_are_told_apart() {
    let at = At {
        statements: &[
            ("main", Some("pthread_join(t1, 0);")),
            ("thread1", Some("x = 1;")),
            ("thread2", None),
        ],
        owners: &[("a", "thread1"), ("b", "thread1"), ("c", "thread1")],
    };
    let meets = |lock_sets| {
        let reduction = Reduction::LockPatterns;
        let options = CircuitOptions { reduction, lock_sets, ..CircuitOptions::default() };
        signals_with("one_of_three_locks.c", options, &at)["J.thread1.thread2"]
    };
    let found: Vec<bool> = [None, Some(1), Some(2), Some(3), Some(8)].map(meets).to_vec();
    assert_eq!(found, [true, true, true, false, false]);
}

/// However many sets there are, an error on the way that no lock closes is found.
#[test]
fn no_number_of_sets_of_locks_loses_an_error() {
    for reduction in [Reduction::LockPatterns, Reduction::LockPatternsSleep] {
        for lock_sets in [None, Some(1), Some(2), Some(3), Some(8)] {
            let options = CheckOptions {
                properties: vec![PropertyKind::Assert],
                reduction: ReductionChoice::Fixed(reduction),
                lock_sets,
                ..CheckOptions::default()
            };
            let engine = Bmc(BmcOptions { max_depth: Some(20), ..BmcOptions::default() });
            let (loaded, budget) = (loaded("either_lock.c"), Budget::unlimited());
            let report = check_loaded(loaded, &options, &engine, &mut Silent, &budget);
            let report = report.expect("it is checked");
            let verdict = &report.properties[0].verdict;
            assert_eq!(*verdict, PropertyVerdict::Unsafe, "{reduction}, {lock_sets:?}");
        }
    }
}
