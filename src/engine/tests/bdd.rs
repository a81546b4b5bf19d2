use std::sync::Arc;
use std::time::Duration;

use super::reference::{Expected, Kind, Sample, is_run, search};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel, Id, Rng, Stop};
use crate::engine::audit::{Audit, AuditOptions, Fault, audit};
use crate::engine::bdd::{Bdd, BddOptions, Direction, OrderHeuristic};
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::{Certificate, Reason, Verdict};

const KINDS: [Kind; 3] = [Kind::Plain, Kind::Moving, Kind::Ending];
const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Backward];

fn run(problem: &Problem, options: BddOptions) -> Vec<Verdict> {
    Bdd(options).run(problem, &mut Silent, &Budget::unlimited())
}

fn random_options(rng: &mut Rng, direction: Direction) -> BddOptions {
    BddOptions {
        direction,
        orders: vec![*rng.pick(&OrderHeuristic::ALL)],
        node_limit: 1 << 14,
        cluster_size: *rng.pick(&[0, 10, 1000]),
        chaining: rng.one_in(2),
        first: false,
        exhaustive: false,
    }
}

/// Random literals of the circuit.
fn random_parts(rng: &mut Rng, aig: &Aig) -> Vec<Lit> {
    let mut lit = || {
        let var = crate::aig::Var::new(rng.below(aig.nodes().len()));
        Lit::new(var, rng.one_in(2))
    };
    (0..3).map(|_| lit()).collect()
}

#[test]
fn agrees_with_explicit_search() {
    let (mut violated, mut safe, mut parted) = (0, 0, 0);
    for seed in 0..300 {
        for kind in KINDS {
            for direction in DIRECTIONS {
                let sample = Sample::random(seed, kind);
                let mut rng = Rng::new(seed);
                let options = random_options(&mut rng, direction);
                let mut problem = sample.problem();
                if rng.one_in(2) {
                    problem.parts = random_parts(&mut rng, problem.aig);
                    parted += 1;
                }
                let verdicts = run(&problem, options.clone());
                let audits =
                    audit(&problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
                // There are at most 32 states.
                for (bad, expected) in search(&sample, 32).into_iter().enumerate() {
                    let at = format!("seed {seed}, {kind:?}, property {bad}, {options:?}");
                    assert_eq!(audits[bad], Audit::Confirmed, "{at}");
                    match (&verdicts[bad], expected) {
                        (Verdict::Unsafe(trace), Expected::Violated(depth)) => {
                            assert!(options.chaining || trace.inputs.len() == depth + 1, "{at}");
                            assert!(trace.bad == bad && is_run(&sample.aig, trace), "{at}");
                            violated += usize::from(depth > 0);
                        }
                        (Verdict::Safe(Certificate::Trivial), _) => {
                            assert_eq!(sample.aig.bads[bad].value, Lit::FALSE, "{at}");
                        }
                        (Verdict::Safe(_), Expected::Ends(_) | Expected::Bound) => safe += 1,
                        (verdict, expected) => panic!("{at}: {verdict:?} but {expected:?}"),
                    }
                }
            }
        }
    }
    assert!(violated > 400 && safe > 700 && parted > 700, "{violated} {safe} {parted}");
}

/// The audit accepts a set of states exactly if it is an inductive invariant without a bad state.
#[test]
fn wrong_invariants_are_refuted() {
    let (mut confirmed, mut refuted) = (0, [0; 3]);
    for seed in 0..400 {
        let sample = Sample::random(seed, Kind::Plain);
        let aig = &sample.aig;
        let mut rng = Rng::new(seed);
        let states = 1u32 << aig.latches().len();
        let verdicts = run(&sample.problem(), random_options(&mut rng, Direction::Forward));
        for (bad, verdict) in verdicts.into_iter().enumerate() {
            let Verdict::Safe(Certificate::Circuit { invariant }) = verdict else { continue };
            // One state more, or one less.
            let mut changed = (*invariant).clone();
            let flipped = rng.below(states as usize);
            let inputs: Vec<Lit> =
                changed.inputs().iter().map(|i| Lit::new(i.var, false)).collect();
            let state = changed
                .and_all(inputs.iter().enumerate().map(|(k, l)| l.xor(flipped >> k & 1 == 0)));
            changed.outputs[0].value = changed.xor(invariant.outputs[0].value, state);
            let holds = |s: u32| {
                let frame = super::reference::Frame::new(&changed, 0, s);
                frame.value(changed.outputs[0].value)
            };
            let expected = super::reference::is_invariant(aig, bad, &holds);
            let problem = Problem { bads: vec![bad], ..sample.problem() };
            let certificate = Certificate::Circuit { invariant: Arc::new(changed.clone()) };
            let found = audit(
                &problem,
                &[Verdict::Safe(certificate)],
                &AuditOptions::default(),
                &Budget::unlimited(),
            );
            assert_eq!(found[0] == Audit::Confirmed, expected, "seed {seed}, property {bad}");
            match found[0] {
                Audit::Refuted(Fault::InvariantNotInitial) => refuted[0] += 1,
                Audit::Refuted(Fault::InvariantNotInductive) => refuted[1] += 1,
                Audit::Refuted(Fault::NotStrong) => refuted[2] += 1,
                _ => confirmed += 1,
            }
        }
    }
    assert!(confirmed > 20 && refuted.iter().all(|&n| n > 5), "{confirmed} {refuted:?}");
}

#[test]
fn an_invariant_of_the_wrong_shape_is_refuted() {
    let mut aig = Aig::new();
    let latch = aig.latch(Reset::Zero, None);
    aig.bads.push(Named { value: latch, name: None });
    let certificate = Certificate::Circuit { invariant: Arc::new(Aig::new()) };
    let problem = Problem::new(&aig);
    let verdicts = [Verdict::Safe(certificate)];
    let found = audit(&problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
    assert_eq!(found, [Audit::Refuted(Fault::InvariantShape)]);
}

/// A counter of `width` bits, which is bad at its highest value.
fn counter(width: usize) -> Aig {
    let mut aig = Aig::new();
    let go = aig.input(None);
    let bits: Vec<Lit> = (0..width).map(|_| aig.latch(Reset::Zero, None)).collect();
    let mut carry = go;
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        aig.set_next(bit, next);
    }
    let value = aig.and_all(bits);
    aig.bads.push(Named { value, name: None });
    aig
}

#[test]
fn limits_end_in_unknown_with_the_depth() {
    let aig = counter(20);
    let problem = Problem::new(&aig);
    let budget = Budget::new(Some(Duration::from_millis(300)), None, Cancel::new());
    let verdicts = Bdd::default().run(&problem, &mut Silent, &budget);
    let Verdict::Unknown(Reason::Stopped { stop: Stop::Timeout(_), depth: Some(depth) }) =
        verdicts[0]
    else {
        panic!("{verdicts:?}")
    };
    assert!(depth > 10, "{depth}");
    // Multiplication has no small diagram.
    let mut aig = Aig::new();
    let [a, b] =
        [(); 2].map(|()| (0..24).map(|_| aig.latch(Reset::Free, None)).collect::<Vec<_>>());
    let mut sum = [Lit::FALSE; 48];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (j, &y) in b.iter().enumerate() {
            let term = aig.and(x, y);
            let (s, half) = (sum[i + j], aig.xor(sum[i + j], term));
            sum[i + j] = aig.xor(half, carry);
            let (both, ripple) = (aig.and(s, term), aig.and(half, carry));
            carry = aig.or(both, ripple);
        }
        sum[i + 24] = carry;
    }
    let value = aig.and_all([sum[24], sum[20], !sum[30]]);
    aig.bads.push(Named { value, name: None });
    let options = BddOptions { node_limit: 1 << 15, ..Default::default() };
    let verdicts = run(&Problem::new(&aig), options);
    assert_eq!(verdicts, [Verdict::Unknown(Reason::Nodes { limit: 1 << 15, depth: None })]);
}

#[test]
fn implicit_properties_are_left_when_all_asked_are_violated() {
    let mut aig = counter(3);
    let never = aig.latch(Reset::Zero, None);
    aig.bads.push(Named { value: never, name: None });
    let problem = Problem { asked: vec![0], ..Problem::new(&aig) };
    let verdicts = run(&problem, BddOptions::default());
    assert!(matches!(
        verdicts[..],
        [Verdict::Unsafe(_), Verdict::Unknown(Reason::AllAskedViolated(Some(7)))]
    ));
    let problem = Problem { asked: vec![], ..problem };
    let verdicts = run(&problem, BddOptions { first: true, ..Default::default() });
    assert_eq!(verdicts[1], Verdict::Unknown(Reason::FirstOnly(Some(7))));
    let verdicts = run(&problem, BddOptions { exhaustive: true, ..Default::default() });
    assert!(matches!(verdicts[..], [Verdict::Unsafe(_), Verdict::Safe(_)]));
}
