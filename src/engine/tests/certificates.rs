//! The audit of claims, right and wrong, about invariants and k-induction.

use super::reference::{Frame, Kind, Sample};
use crate::aig::{Aig, Lit, Named, Reset, Var};
use crate::base::{Budget, Id, Rng};
use crate::engine::Problem;
use crate::engine::audit::{Audit, AuditOptions, Fault, audit};
use crate::engine::kind::{Kind as Induction, KindOptions};
use crate::engine::relations::Clause;
use crate::engine::{Engine, Silent};
use crate::outcome::{Certificate, Verdict};

fn check(problem: &Problem, bad: usize, certificate: Certificate) -> Audit {
    let problem = Problem { bads: vec![bad], ..problem.clone() };
    let verdict = [Verdict::Safe(certificate)];
    audit(&problem, &verdict, &AuditOptions::default(), &Budget::unlimited()).remove(0)
}

/// All legal frames of all states: (state, next state, is bad, moves).
fn frames(sample: &Sample, bad: usize) -> Vec<(u32, u32, bool, bool)> {
    let aig = &sample.aig;
    let states = 0..1u32 << aig.latches().len();
    let all = states.flat_map(|s| (0..1u32 << aig.inputs().len()).map(move |i| (s, i)));
    all.map(|(s, inputs)| (s, Frame::new(aig, s, inputs)))
        .filter(|(_, f)| f.legal(aig))
        .map(|(s, f)| {
            let moves = sample.moved.is_none_or(|m| f.value(m));
            (s, f.next(aig), f.value(aig.bads[bad].value), moves)
        })
        .collect()
}

fn is_initial(aig: &Aig, state: u32) -> bool {
    aig.latches().iter().enumerate().all(|(k, latch)| match latch.reset {
        Reset::Zero => state >> k & 1 == 0,
        Reset::One => state >> k & 1 == 1,
        Reset::Free => true,
    })
}

fn random_clauses(rng: &mut Rng, latches: usize) -> Vec<Vec<(usize, bool)>> {
    let literal = |rng: &mut Rng| (rng.below(latches), rng.one_in(2));
    let clause = |rng: &mut Rng| (0..rng.below(4)).map(|_| literal(rng)).collect();
    (0..rng.below(4)).map(|_| clause(rng)).collect()
}

#[test]
fn claims_of_invariants_are_confirmed_if_and_only_if_right() {
    let mut found = [0; 4];
    for seed in 0..3000 {
        let sample = Sample::random(seed, Kind::Plain);
        let mut rng = Rng::new(seed);
        let clauses = random_clauses(&mut rng, sample.aig.latches().len());
        let holds = |clause: &Vec<(usize, bool)>, state: u32| {
            clause.iter().any(|&(k, value)| (state >> k & 1 == 1) == value)
        };
        let inside = |state: u32| clauses.iter().all(|c| holds(c, state));
        let frames = frames(&sample, 0);
        let states = 0..1u32 << sample.aig.latches().len();
        let outside = |c: &Vec<(usize, bool)>| {
            states.clone().any(|s| is_initial(&sample.aig, s) && !holds(c, s))
        };
        let steps: Vec<_> = frames.iter().filter(|f| inside(f.0)).collect();
        let left = |c: &Vec<(usize, bool)>| steps.iter().any(|f| !holds(c, f.1));
        let expected = if let Some(k) = clauses.iter().position(outside) {
            Audit::Refuted(Fault::NotInitial(k))
        } else if steps.iter().any(|f| f.2) {
            Audit::Refuted(Fault::NotStrong)
        } else if let Some(k) = clauses.iter().position(left) {
            Audit::Refuted(Fault::NotInductive(k))
        } else {
            Audit::Confirmed
        };
        let claim = Certificate::Invariant { clauses: clauses.clone() };
        assert_eq!(check(&sample.problem(), 0, claim), expected, "seed {seed}: {clauses:?}");
        found[match expected {
            Audit::Refuted(Fault::NotInitial(_)) => 0,
            Audit::Refuted(Fault::NotStrong) => 1,
            Audit::Refuted(_) => 2,
            _ => 3,
        }] += 1;
    }
    assert!(found.iter().all(|&n| n > 20), "{found:?}");
}

#[test]
fn an_invariant_over_latches_that_there_are_not_is_refuted() {
    let sample = Sample::random(1, Kind::Plain);
    let latches = sample.aig.latches().len();
    let claim = Certificate::Invariant { clauses: vec![vec![(0, true), (latches, false)]] };
    let audit = check(&sample.problem(), 0, claim);
    assert_eq!(audit, Audit::Refuted(Fault::NoLatch(latches)));
}

/// A clause that is often true, if there is one, and pairs of signals that are often equal.
fn random_signals(
    rng: &mut Rng,
    sample: &Sample,
    initial: &[Frame],
) -> (Vec<Clause>, Vec<(Lit, Lit)>) {
    let nodes = sample.aig.nodes().len();
    let mut clauses = random_clauses(rng, sample.aig.latches().len());
    clauses.truncate(rng.below(2));
    let mut equal = vec![];
    for _ in 0..1 + rng.below(20) {
        let lit = |rng: &mut Rng| Lit::new(Var::new(rng.below(nodes)), rng.one_in(2));
        let (a, b) = (lit(rng), lit(rng));
        if rng.one_in(20) || initial.iter().all(|f| f.value(a) == f.value(b)) {
            equal.push((a, b));
        }
    }
    (clauses, equal)
}

#[test]
fn claims_of_signals_are_confirmed_if_and_only_if_right() {
    let mut found = [0; 5];
    for seed in 0..3000 {
        let sample = Sample::random(seed, Kind::Plain);
        let aig = &sample.aig;
        let frames = |state: u32| {
            let all = (0..1u32 << aig.inputs().len()).map(move |i| Frame::new(aig, state, i));
            all.filter(|f| f.legal(aig))
        };
        let states = || 0..1u32 << aig.latches().len();
        let first = states().filter(|&s| is_initial(aig, s));
        let initial: Vec<Frame> = first.flat_map(frames).collect();
        let (clauses, equal) = random_signals(&mut Rng::new(seed), &sample, &initial);
        let differ = |f: &Frame| equal.iter().position(|&(a, b)| f.value(a) != f.value(b));
        let holds = |clause: &Vec<(usize, bool)>, state: u32| {
            clause.iter().any(|&(k, value)| (state >> k & 1 == 1) == value)
        };
        let broken = |s: u32| clauses.iter().position(|c| !holds(c, s));
        let claimed: Vec<Frame> = states()
            .filter(|&s| broken(s).is_none())
            .flat_map(frames)
            .filter(|f| differ(f).is_none())
            .collect();
        let after = || claimed.iter().map(|f| f.next(aig)).filter(|&s| frames(s).next().is_some());
        let expected =
            if let Some(k) = states().filter(|&s| is_initial(aig, s)).filter_map(broken).min() {
                Fault::NotInitial(k)
            } else if let Some(k) = initial.iter().filter_map(differ).min() {
                Fault::NotEqual(k)
            } else if let Some(k) = after().flat_map(frames).filter_map(|f| differ(&f)).min() {
                Fault::NotInductiveSignals(k)
            } else if let Some(k) = after().filter_map(broken).min() {
                Fault::NotInductive(k)
            } else if claimed.iter().any(|f| f.value(aig.bads[0].value)) {
                Fault::NotStrong
            } else {
                let claim = Certificate::Signals { clauses, equal };
                assert_eq!(check(&sample.problem(), 0, claim), Audit::Confirmed, "seed {seed}");
                found[4] += 1;
                continue;
            };
        found[match expected {
            Fault::NotEqual(_) => 0,
            Fault::NotInductiveSignals(_) => 1,
            Fault::NotInductive(_) => 2,
            _ => 3,
        }] += 1;
        let claim = Certificate::Signals { clauses, equal };
        assert_eq!(check(&sample.problem(), 0, claim), Audit::Refuted(expected), "seed {seed}");
    }
    assert!(found.iter().all(|&n| n > 20), "{found:?}");
}

#[test]
fn equalities_of_signals_that_there_are_not_are_refuted() {
    let sample = Sample::random(1, Kind::Plain);
    let beyond = Lit::new(Var::new(sample.aig.nodes().len()), false);
    let claim = Certificate::Signals { clauses: vec![], equal: vec![(Lit::FALSE, beyond)] };
    assert_eq!(check(&sample.problem(), 0, claim), Audit::Refuted(Fault::NoSignal));
}

/// Whether a path of `k` good frames, all moving if `moving`, ends in `path`'s last state and goes
/// on to a bad frame; only simple ones if `unique`.
fn reaches_bad(
    frames: &[(u32, u32, bool, bool)],
    path: &mut Vec<u32>,
    k: usize,
    moving: bool,
    unique: bool,
) -> bool {
    let state = *path.last().expect("a path has a state");
    let here = frames.iter().filter(|f| f.0 == state);
    if k == 0 {
        return here.clone().any(|f| f.2);
    }
    here.filter(|f| !f.2 && (f.3 || !moving)).any(|f| {
        if unique && path.contains(&f.1) {
            return false;
        }
        path.push(f.1);
        let found = reaches_bad(frames, path, k - 1, moving, unique);
        path.pop();
        found
    })
}

/// Whether every latch matters for the property and the constraints.
fn all_matter(aig: &Aig, bad: usize) -> bool {
    let mut roots: Vec<_> = aig.constraints.iter().map(|c| c.value).collect();
    roots.push(aig.bads[bad].value);
    let live = crate::engine::unroll::cone(aig, &roots);
    aig.latches().iter().all(|l| live[l.var])
}

#[test]
fn claims_of_k_induction_are_confirmed_if_and_only_if_right() {
    let mut found = [0; 3];
    for seed in 0..1500 {
        let kind = [Kind::Plain, Kind::Moving, Kind::Ending][seed as usize % 3];
        let sample = Sample::random(seed, kind);
        if !all_matter(&sample.aig, 0) {
            continue;
        }
        let frames = frames(&sample, 0);
        let states = 0..1u32 << sample.aig.latches().len();
        for k in 0..4 {
            let violated = (0..k).any(|d| {
                states.clone().filter(|&s| is_initial(&sample.aig, s)).any(|s| {
                    // The first frames need not be good: shorter paths were looked at before.
                    reaches_bad(&frames, &mut vec![s], d, false, false)
                })
            });
            for unique in [false, true] {
                let goes_on = |s| reaches_bad(&frames, &mut vec![s], k, true, unique);
                let audit = check(
                    &sample.problem(),
                    0,
                    Certificate::KInduction { k, unique, clauses: vec![] },
                );
                let at = format!("seed {seed}, {kind:?}, k {k}, unique {unique}");
                if violated {
                    assert!(matches!(audit, Audit::Refuted(Fault::Violated(_))), "{at} {audit:?}");
                    found[0] += 1;
                } else if states.clone().any(goes_on) {
                    assert_eq!(audit, Audit::Refuted(Fault::NoInduction(k)), "{at}");
                    found[1] += 1;
                } else {
                    assert_eq!(audit, Audit::Confirmed, "{at}");
                    found[2] += usize::from(k > 0);
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n > 100), "{found:?}");
}

/// Some proofs need simple paths, and say so; others are confirmed without.
#[test]
fn a_proof_says_whether_it_needs_simple_paths() {
    let (mut needed, mut not) = (0, 0);
    for seed in 0..400 {
        let sample = Sample::random(seed, Kind::Plain);
        let problem = sample.problem();
        let verdicts = Induction(KindOptions { relations: None, ..Default::default() }).run(
            &problem,
            &mut Silent,
            &Budget::unlimited(),
        );
        for (bad, verdict) in verdicts.into_iter().enumerate() {
            let Verdict::Safe(Certificate::KInduction { k, unique, clauses }) = verdict else {
                continue;
            };
            let without = Certificate::KInduction { k, unique: false, clauses };
            let without = check(&problem, bad, without);
            if !unique {
                assert_eq!(without, Audit::Confirmed, "seed {seed}");
                not += 1;
            } else if without == Audit::Refuted(Fault::NoInduction(k)) {
                needed += 1;
            }
        }
    }
    assert!(needed > 5 && not > 50, "{needed} {not}");
}

/// Two latches that run in step, and one that notes when they differ.
#[test]
fn clauses_of_k_induction_are_needed_and_checked() {
    let mut aig = Aig::new();
    let input = aig.input(None);
    let [a, b] = [(); 2].map(|()| aig.latch(Reset::Zero, None));
    aig.set_next(a, input);
    aig.set_next(b, input);
    let differ = aig.xor(a, b);
    aig.bads.push(Named { value: differ, name: None });
    let problem = Problem::new(&aig);
    let same = vec![vec![(0, true), (1, false)], vec![(0, false), (1, true)]];
    let claim = |clauses: &[Vec<(usize, bool)>]| {
        check(
            &problem,
            0,
            Certificate::KInduction { k: 0, unique: false, clauses: clauses.to_vec() },
        )
    };
    assert_eq!(claim(&same), Audit::Confirmed);
    assert_eq!(claim(&same[..1]), Audit::Refuted(Fault::NoInduction(0)));
    assert_eq!(
        claim(&[vec![(0, false)], vec![(1, false)]]),
        Audit::Refuted(Fault::NotInductive(0))
    );
    assert_eq!(claim(&[vec![(0, true)]]), Audit::Refuted(Fault::NotInitial(0)));
    let verdicts =
        Induction(KindOptions::default()).run(&problem, &mut Silent, &Budget::unlimited());
    let Verdict::Safe(Certificate::KInduction { k: 0, clauses, .. }) = &verdicts[0] else {
        panic!("{verdicts:?}")
    };
    assert_eq!(claim(clauses), Audit::Confirmed);
}
