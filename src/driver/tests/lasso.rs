//! Runs that go on for ever, from the circuit to the report.

use std::io::Write;

use crate::aig::{Lit, Named};
use crate::base::Budget;
use crate::driver::{Circuit, CircuitOptions, Loaded, ProgramOptions, load};
use crate::engine::Silent;
use crate::engine::bdd::Bdd;
use crate::engine::liveness::{LivenessOptions, solve};
use crate::outcome::{LassoSchedule, LiveVerdict};
use crate::program::Program;
use crate::property::{PropertyKind, resolve};
use crate::report::{TraceDetail, text_lasso};
use crate::witness::{Mismatch, ReplayOptions, replay_lasso};

/// A run of the program in which the signal is true infinitely often.
fn lasso(text: &str, signal: impl Fn(&Circuit) -> Lit) -> (Program, Option<LassoSchedule>) {
    let mut file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let options = ProgramOptions { files: vec![file.path().to_path_buf()], ..Default::default() };
    let Ok(Loaded { program, .. }) = load(&options) else { panic!("the program is refused") };
    let question = resolve(&program, &[PropertyKind::Assert]).unwrap();
    let budget = Budget::unlimited();
    let circuit = Circuit::build(&program, &question, CircuitOptions::default(), &budget).unwrap();
    let mut aig = circuit.reduced.clone();
    aig.justice.push(Named { value: vec![signal(&circuit)], name: None });
    let options = LivenessOptions::default();
    let verdict = solve(&aig, &[0], &Bdd::default(), &options, &mut Silent, &budget).remove(0);
    let schedule = match verdict {
        LiveVerdict::Safe { .. } => None,
        LiveVerdict::Unsafe(lasso) => Some(circuit.lift_lasso(&lasso)),
        LiveVerdict::Unknown(why) => panic!("{why}"),
    };
    (program, schedule)
}

const LOOPS: &str = "#include <assert.h>
#include <pthread.h>
int x, y;
void *flip(void *arg) {
    for (;;) {
        int old = x;
        x = 1 - old;
    }
    return arg;
}
int main(void) {
    pthread_t t;
    y = 1;
    pthread_create(&t, 0, flip, 0);
    assert(y == 1);
    assert(x < 2);
    return 0;
}
";

#[test]
fn a_loop_is_lifted_replayed_and_shown() {
    let (program, schedule) = lasso(LOOPS, Circuit::moved);
    let schedule = schedule.expect("a thread moves for ever");
    let replay = replay_lasso(&program, &schedule, ReplayOptions::default()).unwrap();
    assert!(replay.cycle_start < replay.edges.len());
    let text = text_lasso(&program, &replay, TraceDetail::Full);
    let (stem, cycle) = text.split_once("and then for ever:\n").expect("there are two parts");
    assert!(stem.contains("y = 1") && !cycle.contains("y = 1"), "{text}");
    assert!(cycle.contains("x = 1") && cycle.contains("x = 0"), "{text}");

    // The step of a thread that cannot move.
    let mut broken = schedule.clone();
    broken.cycle[0] = broken.stem[0].clone();
    let error = replay_lasso(&program, &broken, ReplayOptions::default()).unwrap_err();
    assert!(matches!(error, Mismatch::Step { .. } | Mismatch::Place { .. }), "{error}");
}

#[test]
fn a_schedule_that_does_not_come_back_is_refused() {
    let (program, schedule) = lasso(LOOPS, Circuit::moved);
    let LassoSchedule { stem, cycle } = schedule.expect("a thread moves for ever");
    // The first steps of the stem change what never changes again.
    let wrong = LassoSchedule { stem: vec![], cycle: stem.into_iter().chain(cycle).collect() };
    let error = replay_lasso(&program, &wrong, ReplayOptions::default()).unwrap_err();
    assert!(matches!(error, Mismatch::Open | Mismatch::Step { .. } | Mismatch::Place { .. }));
}

#[test]
fn where_runs_end_nothing_moves_for_ever() {
    let text = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); return 0; }\n";
    let (_, schedule) = lasso(text, Circuit::moved);
    assert_eq!(schedule, None);
    let (program, schedule) = lasso(text, |c| !c.can_move());
    let schedule = schedule.expect("the end stays");
    assert!(schedule.cycle.is_empty());
    let replay = replay_lasso(&program, &schedule, ReplayOptions::default()).unwrap();
    assert!(text_lasso(&program, &replay, TraceDetail::Full).ends_with("  nothing moves\n"));
}
