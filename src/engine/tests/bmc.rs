use std::time::Duration;

use super::reference::{Expected, Kind, Sample, is_invariant, is_run, reachable, search};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel, Stop};
use crate::engine::bdd::{Bdd, BddOptions};
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::engine::ic3::{Ic3, Ic3Options};
use crate::engine::kind::{Kind as Induction, KindOptions};
use crate::engine::sim::{Sim, SimOptions};
use crate::engine::{Engine, FrameReport, Problem, Progress, Silent, embedded};
use crate::outcome::{Certificate, Reason, Verdict};
use crate::sat::Backend;

const KINDS: [Kind; 3] = [Kind::Plain, Kind::Moving, Kind::Ending];

fn run(problem: &Problem, options: BmcOptions) -> Vec<Verdict> {
    Bmc(options).run(problem, &mut Silent, &Budget::unlimited())
}

/// Records every report, and raises the flag at the frame `cancel_at`.
#[derive(Default)]
struct Recorder {
    reports: Vec<FrameReport>,
    cancel_at: Option<(usize, Cancel)>,
}

impl Progress for Recorder {
    fn frame(&mut self, report: &FrameReport) {
        self.reports.push(*report);
        if let Some((depth, cancel)) = &self.cancel_at
            && report.depth == *depth
        {
            cancel.cancel();
        }
    }
}

#[test]
fn agrees_with_explicit_search() {
    const BOUND: usize = 9;
    let (mut violated, mut ended, mut bound, mut invariant) = (0, 0, 0, 0);
    for seed in 0..600 {
        for kind in KINDS {
            let sample = Sample::random(seed, kind);
            let backend = Backend::ALL[seed as usize % 2];
            let values = seed % 3 > 0;
            let options =
                BmcOptions { max_depth: Some(BOUND), backend, values, ..Default::default() };
            let verdicts = run(&sample.problem(), options);
            for (bad, expected) in search(&sample, BOUND).into_iter().enumerate() {
                let at = format!("seed {seed}, {kind:?}, property {bad}");
                match (&verdicts[bad], expected) {
                    (Verdict::Unsafe(trace), Expected::Violated(depth)) => {
                        assert_eq!(trace.inputs.len(), depth + 1, "{at}");
                        assert!(trace.bad == bad && is_run(&sample.aig, trace), "{at}");
                        violated += 1;
                    }
                    (Verdict::Safe(Certificate::Trivial), Expected::Ends(_) | Expected::Bound) => {
                        assert_eq!(sample.aig.bads[bad].value, Lit::FALSE, "{at}");
                    }
                    (Verdict::Safe(Certificate::Completeness { depth }), Expected::Ends(d)) => {
                        assert!(if values { *depth >= d } else { *depth == d }, "{at}");
                        ended += usize::from(d > 0);
                    }
                    (
                        Verdict::Safe(Certificate::Invariant { clauses }),
                        Expected::Ends(_) | Expected::Bound,
                    ) => {
                        let value =
                            |s: u32, &(k, value): &(usize, bool)| s >> k & 1 == u32::from(value);
                        let holds = |s| clauses.iter().all(|c| c.iter().any(|l| value(s, l)));
                        assert!(is_invariant(&sample.aig, bad, &holds), "{at}");
                        invariant += 1;
                    }
                    (Verdict::Unknown(reason), Expected::Bound) => {
                        assert_eq!(*reason, Reason::Depth(BOUND), "{at}");
                        bound += 1;
                    }
                    (verdict, expected) => panic!("{at}: {verdict:?} but {expected:?}"),
                }
            }
        }
    }
    let enough = violated > 500 && ended > 100 && bound > 100 && invariant > 20;
    assert!(enough, "{violated} {ended} {bound} {invariant}");
}

/// Cutting out the frames that do not move loses no violation.
#[test]
fn moves_reach_what_all_runs_reach() {
    for seed in 0..400 {
        for kind in [Kind::Moving, Kind::Ending] {
            let sample = Sample::random(seed, kind);
            // There are at most 32 states.
            let by_moves = search(&sample, 32);
            for (bad, &reachable) in reachable(&sample.aig).iter().enumerate() {
                let found = matches!(by_moves[bad], Expected::Violated(_));
                assert_eq!(found, reachable, "seed {seed}, {kind:?}, property {bad}");
            }
        }
    }
}

/// A counter of `width` bits that counts up when `enable` is true, and its bits.
fn counter(aig: &mut Aig, width: usize, enable: Lit) -> Vec<Lit> {
    let bits: Vec<Lit> = (0..width).map(|_| aig.latch(Reset::Zero, None)).collect();
    let mut carry = enable;
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        aig.set_next(bit, next);
    }
    bits
}

fn equals(aig: &mut Aig, bits: &[Lit], value: usize) -> Lit {
    aig.and_all(
        bits.iter().enumerate().map(|(k, b)| b.xor(value >> k & 1 == 0)).collect::<Vec<_>>(),
    )
}

fn bad(aig: &mut Aig, value: Lit) {
    aig.bads.push(Named { value, name: None });
}

#[test]
fn a_counter_from_reset_folds_to_constants() {
    let mut aig = Aig::new();
    let bits = counter(&mut aig, 16, Lit::TRUE);
    let hit = equals(&mut aig, &bits, 300);
    bad(&mut aig, hit);
    let mut recorder = Recorder::default();
    let verdicts = Bmc::default().run(&Problem::new(&aig), &mut recorder, &Budget::unlimited());
    assert!(matches!(&verdicts[0], Verdict::Unsafe(t) if t.inputs.len() == 301));
    assert_eq!(recorder.reports.len(), 301);
    for (depth, report) in recorder.reports.iter().enumerate() {
        assert_eq!((report.depth, report.vars, report.clauses), (depth, 0, 0));
    }
}

#[test]
fn every_property_gets_its_shortest_trace() {
    let mut aig = Aig::new();
    let enable = aig.input(Some("go".into()));
    let bits = counter(&mut aig, 4, enable);
    for value in [3, 0, 7, 3, 15] {
        let hit = equals(&mut aig, &bits, value);
        bad(&mut aig, hit);
    }
    let problem = Problem { bads: vec![4, 2, 0, 1, 3], ..Problem::new(&aig) };
    let verdicts = run(&problem, BmcOptions { max_depth: Some(10), ..Default::default() });
    let lengths: Vec<_> = verdicts
        .iter()
        .map(|v| if let Verdict::Unsafe(t) = v { Some((t.bad, t.inputs.len())) } else { None })
        .collect();
    assert_eq!(lengths, [None, Some((2, 8)), Some((0, 4)), Some((1, 1)), Some((3, 4))]);
    assert_eq!(verdicts[0], Verdict::Unknown(Reason::Depth(10)));
}

/// Answered by somebody else.
struct Closes(usize);

impl Progress for Closes {
    fn is_closed(&self, position: usize) -> bool {
        position == self.0
    }
}

#[test]
fn what_others_have_answered_is_left_unknown() {
    let mut aig = Aig::new();
    let enable = aig.input(None);
    let bits = counter(&mut aig, 4, enable);
    for value in [3, 9, 4] {
        let hit = equals(&mut aig, &bits, value);
        bad(&mut aig, hit);
    }
    let problem = Problem { bads: vec![2, 1, 0], ..Problem::new(&aig) };
    for engine in embedded() {
        let left: Vec<bool> = engine
            .run(&problem, &mut Closes(1), &Budget::unlimited())
            .iter()
            .map(|v| matches!(v, Verdict::Unknown(_)))
            .collect();
        let asks = engine.name() != "bdd";
        assert_eq!(left, [false, asks, false], "{}", engine.name());
    }
}

#[test]
fn first_stops_at_the_first_violation() {
    let mut aig = Aig::new();
    let enable = aig.input(None);
    let bits = counter(&mut aig, 4, enable);
    for value in [3, 2, 9] {
        let hit = equals(&mut aig, &bits, value);
        bad(&mut aig, hit);
    }
    let verdicts = run(&Problem::new(&aig), BmcOptions { first: true, ..Default::default() });
    assert_eq!(verdicts[0], Verdict::Unknown(Reason::FirstOnly(Some(2))));
    assert!(matches!(&verdicts[1], Verdict::Unsafe(t) if t.inputs.len() == 3));
    assert_eq!(verdicts[2], Verdict::Unknown(Reason::FirstOnly(Some(2))));
}

#[test]
fn the_first_violation_is_one_that_was_asked_for() {
    let mut aig = Aig::new();
    let enable = aig.input(None);
    let bits = counter(&mut aig, 4, enable);
    for value in [2, 5, 15] {
        let hit = equals(&mut aig, &bits, value);
        bad(&mut aig, hit);
    }
    let problem = Problem { asked: vec![1, 2], ..Problem::new(&aig) };
    let engines: [Box<dyn Engine>; 5] = [
        Box::new(Bmc(BmcOptions { first: true, ..Default::default() })),
        Box::new(Induction(KindOptions { first: true, ..Default::default() })),
        Box::new(Ic3(Ic3Options { first: true, ..Default::default() })),
        Box::new(Bdd(BddOptions { first: true, ..Default::default() })),
        Box::new(Sim(SimOptions { first: true, ..Default::default() })),
    ];
    for engine in engines {
        let verdicts = engine.run(&problem, &mut Silent, &Budget::unlimited());
        let violated = |k: usize| matches!(verdicts[k], Verdict::Unsafe(_));
        assert!(violated(1) || violated(2), "{}: {verdicts:?}", engine.name());
        let left = verdicts.iter().any(|v| matches!(v, Verdict::Unknown(Reason::FirstOnly(_))));
        assert!(left || engine.name() == "sim", "{}: {verdicts:?}", engine.name());
    }
}

#[test]
fn moves_are_counted_without_stuttering() {
    // Counts to 5, where it can move no more, when the input says so.
    let mut aig = Aig::new();
    let go = aig.input(None);
    let bits: Vec<Lit> = (0..3).map(|_| aig.latch(Reset::Zero, None)).collect();
    let end = equals(&mut aig, &bits, 5);
    let moved = aig.and(go, !end);
    let mut carry = moved;
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        aig.set_next(bit, next);
    }
    for value in [6, 5] {
        let hit = equals(&mut aig, &bits, value);
        bad(&mut aig, hit);
    }
    let problem = Problem { moved: Some(moved), can_move: Some(!end), ..Problem::new(&aig) };
    let verdicts = run(&problem, BmcOptions::default());
    assert_eq!(verdicts[0], Verdict::Safe(Certificate::Completeness { depth: 5 }));
    assert!(matches!(&verdicts[1], Verdict::Unsafe(t) if t.inputs.len() == 6));
    // Without the signal there is no end.
    let verdicts =
        run(&Problem::new(&aig), BmcOptions { max_depth: Some(20), ..Default::default() });
    assert_eq!(verdicts[0], Verdict::Unknown(Reason::Depth(20)));
}

#[test]
fn words_tell_which_frames_are_too_early() {
    // Counts to 5 when the input says so; the data may be anything from the second frame on.
    let mut aig = Aig::new();
    let go = aig.input(None);
    let bits: Vec<Lit> =
        (0..3).map(|k| aig.latch(Reset::Zero, Some(format!("count[{k}]")))).collect();
    let end = equals(&mut aig, &bits, 5);
    let mut carry = aig.and(go, !end);
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        aig.set_next(bit, next);
    }
    let data: Vec<Lit> =
        (0..8).map(|k| aig.latch(Reset::Zero, Some(format!("data[{k}]")))).collect();
    for &bit in &data {
        let next = aig.input(None);
        aig.set_next(bit, next);
    }
    let full = equals(&mut aig, &data, 200);
    for value in [6, 5] {
        let counted = equals(&mut aig, &bits, value);
        let hit = aig.and(counted, full);
        bad(&mut aig, hit);
    }
    for values in [true, false] {
        let options = BmcOptions { max_depth: Some(8), values, ..Default::default() };
        let mut recorder = Recorder::default();
        let verdicts = Bmc(options).run(&Problem::new(&aig), &mut recorder, &Budget::unlimited());
        assert!(matches!(&verdicts[1], Verdict::Unsafe(t) if t.inputs.len() == 6), "{verdicts:?}");
        let invariant = matches!(&verdicts[0], Verdict::Safe(Certificate::Invariant { .. }));
        assert_eq!(invariant, values, "{verdicts:?}");
        assert_eq!(recorder.reports[..6].iter().all(|r| r.vars == 0), values);
    }
}

#[test]
fn trace_values_outside_the_cone() {
    let mut aig = Aig::new();
    let (unused, used) = (aig.input(None), aig.input(None));
    aig.latch(Reset::One, None);
    let free = aig.latch(Reset::Free, None);
    aig.latch(Reset::Free, None);
    let hit = aig.and(used, free);
    bad(&mut aig, hit);
    let odd = aig.latch(Reset::Zero, None);
    aig.set_next(odd, unused);
    let verdicts = run(&Problem::new(&aig), BmcOptions::default());
    let Verdict::Unsafe(trace) = &verdicts[0] else { panic!("{verdicts:?}") };
    assert_eq!(trace.initial, [true, true, false, false]);
    assert_eq!(trace.inputs, [[false, true]]);
}

#[test]
fn no_property_is_no_work() {
    let aig = Aig::new();
    assert_eq!(run(&Problem::new(&aig), BmcOptions::default()), []);
}

#[test]
fn cancellation_tells_the_depth_reached() {
    let mut aig = Aig::new();
    let enable = aig.input(None);
    let bits = counter(&mut aig, 20, enable);
    let hit = equals(&mut aig, &bits, 1 << 19);
    bad(&mut aig, hit);
    for (depth, clean) in [(0, None), (7, Some(7))] {
        let cancel = Cancel::new();
        let budget = Budget::new(None, None, cancel.clone());
        let mut recorder = Recorder { cancel_at: Some((depth, cancel)), ..Default::default() };
        let verdicts = Bmc::default().run(&Problem::new(&aig), &mut recorder, &budget);
        let reason = Reason::Stopped { stop: Stop::Cancelled, depth: clean };
        assert_eq!(verdicts, [Verdict::Unknown(reason)]);
    }
    let budget = Budget::new(Some(Duration::from_millis(200)), None, Cancel::new());
    let verdicts = Bmc::default().run(&Problem::new(&aig), &mut Silent, &budget);
    assert!(
        matches!(
            &verdicts[0],
            Verdict::Unknown(Reason::Stopped { stop: Stop::Timeout(_), depth: Some(d) }) if *d > 3
        ),
        "{verdicts:?}"
    );
}

#[test]
fn embedded_engines_have_distinct_names() {
    let engines = embedded();
    assert_eq!(engines[0].name(), "bmc");
    for (k, engine) in engines.iter().enumerate() {
        assert!(engines[..k].iter().all(|e| e.name() != engine.name()));
        assert!(!engine.description().is_empty());
    }
}
