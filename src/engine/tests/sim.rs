use std::cell::Cell;

use super::agreement::{circuits, sample};
use super::reference::is_run;
use crate::aig::random::shortest_violations;
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::Budget;
use crate::engine::sim::{Sim, SimOptions};
use crate::engine::{Engine, Problem, Progress};
use crate::outcome::{Reason, Verdict};

/// Closes everything after some batches.
struct After(Cell<usize>);

impl After {
    fn batches(batches: usize) -> Self {
        // It is asked about each property; these tests have few.
        After(Cell::new(4 * batches))
    }
}

impl Progress for After {
    fn is_closed(&self, _: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

fn run(problem: &Problem, options: SimOptions, batches: usize) -> Vec<Verdict> {
    Sim(options).run(problem, &mut After::batches(batches), &Budget::unlimited())
}

/// A counter that goes on where `enable` holds, bad at each of the values; and the signal that it
/// goes on.
fn counter(bits: usize, values: &[usize]) -> (Aig, Lit) {
    let mut aig = Aig::new();
    let enable = aig.input(None);
    let latches: Vec<Lit> = (0..bits).map(|_| aig.latch(Reset::Zero, None)).collect();
    let mut carry = enable;
    for &latch in &latches {
        let next = aig.xor(latch, carry);
        aig.set_next(latch, next);
        carry = aig.and(latch, carry);
    }
    for &value in values {
        let bit = |k: usize| latches[k].xor(value >> k & 1 == 0);
        let value = aig.and_all((0..bits).map(bit).collect::<Vec<_>>());
        aig.bads.push(Named { value, name: None });
    }
    (aig, enable)
}

#[test]
fn finds_nothing_wrong_and_most_of_what_there_is() {
    let (mut found, mut all) = (0, 0);
    for seed in 0..circuits(100) {
        let sample = sample(3 << 32 | seed, 5);
        let expected = shortest_violations(&sample.aig);
        let verdicts =
            run(&sample.problem(), SimOptions { seed, polish: 1, ..Default::default() }, 10);
        for (bad, (verdict, expected)) in verdicts.iter().zip(expected).enumerate() {
            all += usize::from(expected.is_some());
            if let Verdict::Unsafe(trace) = verdict {
                let shortest = expected.unwrap_or_else(|| panic!("seed {seed}: {bad} is safe"));
                assert!(trace.bad == bad && is_run(&sample.aig, trace), "seed {seed}, {bad}");
                assert!(trace.inputs.len() > shortest, "seed {seed}, {bad}");
                found += 1;
            }
        }
    }
    assert!(all > 35 && 20 * found > 19 * all, "{found} of {all}");
}

#[test]
fn goes_deep_and_does_not_stutter() {
    let (aig, enable) = counter(10, &[900]);
    let problem = Problem { moved: Some(enable), ..Problem::new(&aig) };
    match &run(&problem, SimOptions::default(), 20)[..] {
        [Verdict::Unsafe(trace)] => assert_eq!(trace.inputs.len(), 901),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_remembered_any_more_is_in_no_trace() {
    let (aig, _) = counter(4, &[3, 9]);
    for memory in [0, 1, 6, 200] {
        let options = SimOptions { memory, ..Default::default() };
        let verdicts = run(&Problem::new(&aig), options, 50);
        let lengths = verdicts.iter().map(|verdict| match verdict {
            Verdict::Unsafe(trace) if is_run(&aig, trace) => Some(trace.inputs.len()),
            Verdict::Unknown(_) => None,
            other => panic!("{other:?}"),
        });
        let expected = match memory {
            0 | 1 => [None, None],
            6 => [Some(4), None],
            _ => [Some(4), Some(10)],
        };
        assert_eq!(lengths.collect::<Vec<_>>(), expected, "{memory}");
    }
}

#[test]
fn a_violation_is_made_shorter() {
    let (aig, _) = counter(4, &[9]);
    let lengths = [0, 40].map(|polish| {
        let options = SimOptions { polish, ..Default::default() };
        match &run(&Problem::new(&aig), options, 20)[..] {
            [Verdict::Unsafe(trace)] => trace.inputs.len(),
            other => panic!("{other:?}"),
        }
    });
    assert!(lengths[1] <= lengths[0] && lengths[1] == 10, "{lengths:?}");
}

#[test]
fn ends_where_the_user_wants() {
    let (aig, _) = counter(4, &[3, 2, 9]);
    let verdicts = run(&Problem::new(&aig), SimOptions { first: true, ..Default::default() }, 1000);
    let unknown = |v: &&Verdict| matches!(v, Verdict::Unknown(Reason::FirstOnly(None)));
    assert_eq!(verdicts.iter().filter(unknown).count(), 2, "{verdicts:?}");
    // The counter never has this value.
    let (mut aig, _) = counter(4, &[3]);
    aig.bads.push(Named { value: Lit::FALSE, name: None });
    let problem = Problem { asked: vec![0], ..Problem::new(&aig) };
    let verdicts = run(&problem, SimOptions::default(), 1000);
    assert_eq!(verdicts[1], Verdict::Unknown(Reason::AllAskedViolated(None)));
    let verdicts = run(&problem, SimOptions { max_depth: Some(2), ..Default::default() }, 50);
    assert!(verdicts.iter().all(|v| matches!(v, Verdict::Unknown(_))), "{verdicts:?}");
}
