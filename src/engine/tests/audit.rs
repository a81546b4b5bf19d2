use super::reference::{Expected, Kind, Sample, is_run, search};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel, Rng, Stop};
use crate::engine::audit::{Audit, AuditOptions, Fault, audit};
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::{Certificate, Reason, Trace, Verdict};
use crate::sat::Backend;

const KINDS: [Kind; 3] = [Kind::Plain, Kind::Moving, Kind::Ending];

fn check(problem: &Problem, verdicts: &[Verdict]) -> Vec<Audit> {
    audit(problem, verdicts, &AuditOptions::default(), &Budget::unlimited())
}

/// The audit of one claim about the only property of the problem.
fn check_one(problem: &Problem, verdict: Verdict) -> Audit {
    check(problem, &[verdict]).remove(0)
}

fn complete(depth: usize) -> Verdict {
    Verdict::Safe(Certificate::Completeness { depth })
}

#[test]
fn what_bmc_says_is_confirmed() {
    for seed in 0..300 {
        for kind in KINDS {
            let sample = Sample::random(seed, kind);
            let problem = sample.problem();
            let backend = Backend::ALL[seed as usize % 2];
            let options = BmcOptions { max_depth: Some(6), backend, ..Default::default() };
            let verdicts = Bmc(options).run(&problem, &mut Silent, &Budget::unlimited());
            let options = AuditOptions { backend: backend.other() };
            let audits = audit(&problem, &verdicts, &options, &Budget::unlimited());
            assert!(
                audits.iter().all(|a| *a == Audit::Confirmed),
                "seed {seed}, {kind:?}: {verdicts:?} {audits:?}"
            );
        }
    }
}

#[test]
fn claims_of_depth_are_confirmed_if_and_only_if_right() {
    let (mut right, mut bad, mut long) = (0, 0, 0);
    for seed in 0..250 {
        for kind in KINDS {
            let sample = Sample::random(seed, kind);
            let problem = sample.problem();
            let expected = search(&sample, 8);
            for depth in 0..6 {
                let audits = check(&problem, &vec![complete(depth); expected.len()]);
                for (audit, &expected) in audits.iter().zip(&expected) {
                    let at = format!("seed {seed}, {kind:?}, depth {depth}: {expected:?}");
                    match expected {
                        Expected::Violated(d) if d <= depth => {
                            assert_eq!(*audit, Audit::Refuted(Fault::Violated(d)), "{at}");
                            bad += 1;
                        }
                        Expected::Ends(d) if d <= depth => {
                            assert_eq!(*audit, Audit::Confirmed, "{at}");
                            right += usize::from(d > 0);
                        }
                        _ => {
                            assert_eq!(*audit, Audit::Refuted(Fault::NotComplete), "{at}");
                            long += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(right > 100 && bad > 500 && long > 500, "{right} {bad} {long}");
}

#[test]
fn changed_traces_are_confirmed_if_and_only_if_runs() {
    let (mut confirmed, mut refuted) = (0, 0);
    for seed in 0..400 {
        for kind in KINDS {
            let sample = Sample::random(seed, kind);
            let problem = sample.problem();
            let mut rng = Rng::new(seed);
            let options = BmcOptions { max_depth: Some(6), ..Default::default() };
            let mut verdicts = Bmc(options).run(&problem, &mut Silent, &Budget::unlimited());
            for verdict in &mut verdicts {
                if let Verdict::Unsafe(trace) = verdict {
                    distort(&mut rng, trace);
                }
            }
            for (audit, verdict) in check(&problem, &verdicts).iter().zip(&verdicts) {
                if let Verdict::Unsafe(trace) = verdict {
                    let ok = is_run(&sample.aig, trace);
                    assert_eq!(*audit == Audit::Confirmed, ok, "seed {seed}, {kind:?}: {audit:?}");
                    *(if ok { &mut confirmed } else { &mut refuted }) += 1;
                }
            }
        }
    }
    assert!(confirmed > 100 && refuted > 100, "{confirmed} {refuted}");
}

/// Flips a bit, removes a frame or repeats one.
fn distort(rng: &mut Rng, trace: &mut Trace) {
    let frame = rng.below(trace.inputs.len());
    match rng.below(4) {
        0 if !trace.inputs[frame].is_empty() => {
            let k = rng.below(trace.inputs[frame].len());
            trace.inputs[frame][k] ^= true;
        }
        1 => {
            trace.inputs.remove(frame);
        }
        2 => trace.inputs.insert(frame, trace.inputs[frame].clone()),
        _ => {
            let k = rng.below(trace.initial.len());
            trace.initial[k] ^= true;
        }
    }
}

#[test]
fn malformed_traces_are_refuted() {
    let mut aig = Aig::new();
    let input = aig.input(None);
    let latch = aig.latch(Reset::One, None);
    aig.set_next(latch, input);
    aig.bads.push(Named { value: !latch, name: None });
    aig.bads.push(Named { value: latch, name: None });
    aig.constraints.push(Named { value: !input, name: None });
    let problem = Problem { bads: vec![0], ..Problem::new(&aig) };
    let good = Trace { bad: 0, initial: vec![true], inputs: vec![vec![false]; 2] };
    let check = |trace: Trace| check_one(&problem, Verdict::Unsafe(trace));
    assert_eq!(check(good.clone()), Audit::Confirmed);
    let refuted = [
        (Trace { bad: 1, ..good.clone() }, Fault::OtherProperty(1)),
        (Trace { inputs: vec![], ..good.clone() }, Fault::Shape),
        (Trace { inputs: vec![vec![false], vec![]], ..good.clone() }, Fault::Shape),
        (Trace { initial: vec![], ..good.clone() }, Fault::Shape),
        (Trace { initial: vec![false], ..good.clone() }, Fault::Reset(0)),
        (Trace { inputs: vec![vec![false]], ..good.clone() }, Fault::NotBad),
        (
            Trace { inputs: vec![vec![false], vec![true]], ..good },
            Fault::Constraint { constraint: 0, frame: 1 },
        ),
    ];
    for (trace, fault) in refuted {
        assert_eq!(check(trace), Audit::Refuted(fault));
    }
}

/// A circuit with a latch that is bad when true, another latch `odd`, and a move that is
/// possible once.
struct Once {
    aig: Aig,
    bad: Lit,
    odd: Lit,
    done: Lit,
}

impl Once {
    fn new() -> Self {
        let mut aig = Aig::new();
        let [bad, odd, done] = [(); 3].map(|()| aig.latch(Reset::Zero, None));
        aig.set_next(done, Lit::TRUE);
        aig.bads.push(Named { value: bad, name: None });
        Self { aig, bad, odd, done }
    }

    fn problem(&self) -> Problem<'_> {
        Problem { moved: Some(!self.done), can_move: Some(!self.done), ..Problem::new(&self.aig) }
    }
}

#[test]
fn a_latch_that_changes_without_a_move_is_found() {
    let mut once = Once::new();
    once.aig.set_next(once.bad, once.done);
    let verdicts = Bmc::default().run(&once.problem(), &mut Silent, &Budget::unlimited());
    assert_eq!(verdicts, [complete(1)], "looking at moves only is wrong here");
    assert_eq!(check(&once.problem(), &verdicts), [Audit::Refuted(Fault::NoStutter(1))]);
}

#[test]
fn a_latch_that_changes_without_a_move_in_unreachable_states_only_does_no_harm() {
    let mut once = Once::new();
    let next = once.aig.and(once.done, once.odd);
    once.aig.set_next(once.bad, next);
    assert_eq!(check_one(&once.problem(), complete(1)), Audit::Confirmed);
}

#[test]
fn a_latch_that_does_not_matter_may_change_without_a_move() {
    let mut once = Once::new();
    once.aig.set_next(once.odd, !once.odd);
    assert_eq!(check_one(&once.problem(), complete(1)), Audit::Confirmed);
}

#[test]
fn signals_that_disagree_are_found() {
    let once = Once::new();
    let problem = Problem { can_move: Some(!once.bad), ..once.problem() };
    assert_eq!(check_one(&problem, complete(1)), Audit::Refuted(Fault::CanMoveDisagrees));
}

#[test]
fn trivial_claims() {
    let mut aig = Aig::new();
    let [a, b] = [(); 2].map(|()| aig.latch(Reset::Free, None));
    let (both, none) = (aig.and(a, b), aig.and(!a, !b));
    // False in every state, but not by folding.
    let value = aig.and(both, none);
    aig.bads.push(Named { value, name: None });
    aig.bads.push(Named { value: both, name: None });
    let trivial = Verdict::Safe(Certificate::Trivial);
    let audits = check(&Problem::new(&aig), &[trivial.clone(), trivial]);
    assert_eq!(audits, [Audit::Confirmed, Audit::Refuted(Fault::NotTrivial)]);
}

#[test]
fn unknown_claims_nothing_and_a_spent_budget_is_told() {
    let once = Once::new();
    let unknown = Verdict::Unknown(Reason::Depth(3));
    assert_eq!(check_one(&once.problem(), unknown), Audit::Confirmed);
    let cancel = Cancel::new();
    cancel.cancel();
    let budget = Budget::new(None, None, cancel);
    let audits = audit(&once.problem(), &[complete(1)], &AuditOptions::default(), &budget);
    assert_eq!(audits, [Audit::NotDone(Stop::Cancelled)]);
}
