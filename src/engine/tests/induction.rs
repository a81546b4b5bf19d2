//! Limits, traces and progress of IC3 and k-induction.

use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel, Stop};
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::ic3::{Ic3, Ic3Options};
use crate::engine::kind::{Kind, KindOptions};
use crate::engine::{Engine, FrameReport, Problem, Progress, Silent};
use crate::outcome::{Certificate, Reason, Verdict};

fn run(engine: &dyn Engine, problem: &Problem) -> Vec<Verdict> {
    let verdicts = engine.run(problem, &mut Silent, &Budget::unlimited());
    let audits = audit(problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
    assert!(audits.iter().all(|a| *a == Audit::Confirmed), "{verdicts:?}: {audits:?}");
    verdicts
}

/// A counter of six bits that an input lets count from 0 to `end` and then back to 0, and is bad
/// at each of `values`.
fn counter(end: usize, values: &[usize]) -> Aig {
    let mut aig = Aig::new();
    let go = aig.input(None);
    let bits: Vec<Lit> = (0..6).map(|_| aig.latch(Reset::Zero, None)).collect();
    let is = |aig: &mut Aig, value: usize| {
        let bits = bits.iter().enumerate();
        let lits: Vec<Lit> = bits.map(|(k, b)| b.xor(value >> k & 1 == 0)).collect();
        aig.and_all(lits)
    };
    let at_end = is(&mut aig, end);
    let mut carry = go;
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        let wrap = aig.and(go, at_end);
        let next = aig.and(next, !wrap);
        aig.set_next(bit, next);
    }
    for &value in values {
        let value = is(&mut aig, value);
        aig.bads.push(Named { value, name: None });
    }
    aig
}

fn engines(max_depth: Option<usize>) -> [Box<dyn Engine>; 2] {
    [
        Box::new(Ic3(Ic3Options { max_depth, ..Default::default() })),
        Box::new(Kind(KindOptions { max_depth, ..Default::default() })),
    ]
}

#[test]
fn properties_keep_their_order() {
    let aig = counter(40, &[50, 3, 40, 41]);
    let problem = Problem { bads: vec![3, 1, 0, 2], ..Problem::new(&aig) };
    for engine in engines(None) {
        let verdicts = run(&*engine, &problem);
        let shape: Vec<_> = verdicts
            .iter()
            .map(|v| if let Verdict::Unsafe(t) = v { Some((t.bad, t.inputs.len())) } else { None })
            .collect();
        assert!(matches!(verdicts[0], Verdict::Safe(_)) && matches!(verdicts[2], Verdict::Safe(_)));
        assert!(matches!(shape[1], Some((1, 4..))) && matches!(shape[3], Some((2, 41..))));
    }
}

#[test]
fn the_bound_on_depth_is_told() {
    let aig = counter(40, &[30, 3]);
    for engine in engines(Some(5)) {
        let verdicts = run(&*engine, &Problem::new(&aig));
        let name = engine.name();
        assert!(matches!(&verdicts[1], Verdict::Unsafe(t) if t.inputs.len() == 4), "{name}");
        assert_eq!(verdicts[0], Verdict::Unknown(Reason::Depth(5)), "{name}");
    }
}

#[test]
fn a_property_that_is_false_by_construction_is_trivial() {
    let mut aig = counter(40, &[]);
    aig.bads.push(Named { value: Lit::FALSE, name: None });
    for engine in engines(None) {
        let verdicts = run(&*engine, &Problem::new(&aig));
        let proved = match &verdicts[0] {
            Verdict::Safe(Certificate::Trivial) => true,
            Verdict::Safe(Certificate::KInduction { k, unique, .. }) => (*k, *unique) == (0, false),
            _ => false,
        };
        assert!(proved, "{}: {verdicts:?}", engine.name());
    }
}

/// Two latches without reset that stay as they are, one that the property does not depend on, and
/// a constraint that rules out half of the first frames.
#[test]
fn traces_begin_where_constraints_hold() {
    let mut aig = Aig::new();
    let inputs = [(); 2].map(|()| aig.input(None));
    let [a, b, unused] = [(); 3].map(|()| aig.latch(Reset::Free, None));
    let seen = aig.latch(Reset::One, None);
    aig.set_next(unused, !unused);
    let next = aig.and(seen, inputs[1]);
    aig.set_next(seen, next);
    let same = aig.xor(a, inputs[0]);
    aig.constraints.push(Named { value: !same, name: None });
    let lits = [a, !b, inputs[0], !seen];
    let value = aig.and_all(lits);
    aig.bads.push(Named { value, name: None });
    for engine in engines(None) {
        let verdicts = run(&*engine, &Problem::new(&aig));
        let Verdict::Unsafe(trace) = &verdicts[0] else { panic!("{verdicts:?}") };
        assert_eq!((trace.initial[0], trace.initial[1], trace.initial[3]), (true, false, true));
    }
}

/// Cancels at the frame `at`.
struct CancelAt {
    at: usize,
    cancel: Cancel,
}

impl Progress for CancelAt {
    fn frame(&mut self, report: &FrameReport) {
        if report.depth == self.at {
            self.cancel.cancel();
        }
    }
}

#[test]
fn cancellation_tells_the_depth_reached() {
    // 60 is not reached; k-induction and IC3 need more than three frames to see that.
    let aig = counter(40, &[60]);
    for engine in engines(None) {
        for at in 0..4 {
            let cancel = Cancel::new();
            let budget = Budget::new(None, None, cancel.clone());
            let mut progress = CancelAt { at, cancel };
            let verdicts = engine.run(&Problem::new(&aig), &mut progress, &budget);
            let depth = (at > 0).then_some(at);
            let expected = Reason::Stopped { stop: Stop::Cancelled, depth };
            assert_eq!(verdicts, [Verdict::Unknown(expected)], "{}, {at}", engine.name());
        }
    }
}

#[test]
fn without_simple_paths_some_properties_stay_unknown() {
    // From 50 on, which is not reached, the counter may wait for ever before it is bad.
    let aig = counter(40, &[60]);
    let options =
        KindOptions { max_depth: Some(20), unique: false, relations: None, ..Default::default() };
    let verdicts = run(&Kind(options), &Problem::new(&aig));
    assert_eq!(verdicts, [Verdict::Unknown(Reason::Depth(20))]);
    let verdicts =
        run(&Kind(KindOptions { relations: None, ..Default::default() }), &Problem::new(&aig));
    let Verdict::Safe(Certificate::KInduction { unique: true, .. }) = verdicts[0] else {
        panic!("{verdicts:?}")
    };
}

/// The latch keeps its value: good frames are followed by good ones.
#[test]
fn the_frames_before_the_last_are_good() {
    let mut aig = Aig::new();
    let latch = aig.latch(Reset::Zero, None);
    aig.set_next(latch, latch);
    aig.bads.push(Named { value: latch, name: None });
    let verdicts = run(
        &Kind(KindOptions { unique: false, relations: None, ..Default::default() }),
        &Problem::new(&aig),
    );
    let proof = Certificate::KInduction { k: 1, unique: false, clauses: vec![] };
    assert_eq!(verdicts, [Verdict::Safe(proof)]);
}
