//! Random small circuits against a search for strongly connected components of all states.

use super::{LivenessOptions, Method, audit, solve};
use crate::aig::random::{ALL_RESETS, RandomOptions, random_aig};
use crate::aig::{Aig, Lit, Named, Reset, run};
use crate::base::{Budget, Cancel, Rng};
use crate::engine::audit::{Audit, AuditOptions, Fault};
use crate::engine::bdd::{Bdd, BddOptions};
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::engine::ic3::Ic3;
use crate::engine::kind::Kind;
use crate::engine::{Engine, Silent};
use crate::outcome::{Lasso, LiveVerdict, Reason, Reduction};

fn sample(seed: u64) -> Aig {
    let mut rng = Rng::new(seed);
    let options = RandomOptions {
        inputs: rng.below(3),
        latches: 1 + rng.below(4),
        ands: 5 + rng.below(25),
        bads: 0,
        constraints: rng.below(2),
        justice: 1 + rng.below(2),
        fairness: rng.below(3),
        resets: &ALL_RESETS,
        ..RandomOptions::tiny()
    };
    random_aig(&mut rng, &options)
}

/// A legal step: from, to, and which goals are true.
struct Step {
    from: usize,
    to: usize,
    goals: u32,
}

fn bits(word: usize, n: usize) -> Vec<bool> {
    (0..n).map(|k| word >> k & 1 == 1).collect()
}

fn number(bits: &[bool]) -> usize {
    bits.iter().enumerate().map(|(k, &b)| usize::from(b) << k).sum()
}

/// All legal steps, with bit k for the k-th goal of the justice set and then of fairness.
fn steps(aig: &Aig, justice: usize) -> Vec<Step> {
    let (latches, inputs) = (aig.latches().len(), aig.inputs().len());
    let mut steps = vec![];
    for from in 0..1 << latches {
        for word in 0..1 << inputs {
            let vector = bits(word, inputs);
            let frames = run(aig, &bits(from, latches), &[vector.clone(), vector]);
            if frames[0].legal() {
                let mut goals = frames[0].justice[justice].clone();
                goals.extend(&frames[0].fairness);
                steps.push(Step {
                    from,
                    to: number(&frames[1].latches),
                    goals: number(&goals) as u32,
                });
            }
        }
    }
    steps
}

/// Whether some run makes every literal of the justice set and of fairness true infinitely
/// often: a reachable set of states that reach each other over steps with all goals.
fn violated(aig: &Aig, justice: usize) -> bool {
    let count = 1usize << aig.latches().len();
    let steps = steps(aig, justice);
    let mut reaches = vec![vec![false; count]; count];
    for step in &steps {
        reaches[step.from][step.to] = true;
    }
    for via in 0..count {
        for a in 0..count {
            for b in 0..count {
                reaches[a][b] |= reaches[a][via] && reaches[via][b];
            }
        }
    }
    let all = (1u32 << (aig.justice[justice].value.len() + aig.fairness.len())) - 1;
    let initial = |s: usize| aig.bad_reset(&bits(s, aig.latches().len())).is_none();
    let reachable = |s: usize| initial(s) || (0..count).any(|i| initial(i) && reaches[i][s]);
    (0..count).filter(|&s| reachable(s) && reaches[s][s]).any(|s| {
        let together = |a: usize| a == s || reaches[s][a] && reaches[a][s];
        let inside = steps.iter().filter(|e| together(e.from) && together(e.to));
        inside.fold(0, |goals, e| goals | e.goals) == all
    })
}

fn check(aig: &Aig, engine: &dyn Engine, options: &LivenessOptions, at: &str) -> [usize; 3] {
    let sets: Vec<usize> = (0..aig.justice.len()).collect();
    let verdicts = solve(aig, &sets, engine, options, &mut Silent, &Budget::unlimited());
    let mut counts = [0; 3];
    for (justice, verdict) in verdicts.iter().enumerate() {
        let expected = violated(aig, justice);
        let found = audit(aig, justice, verdict, &AuditOptions::default(), &Budget::unlimited());
        assert_eq!(found, Audit::Confirmed, "{at}, set {justice}: {verdict:?}");
        match verdict {
            LiveVerdict::Unsafe(_) => assert!(expected, "{at}, set {justice}"),
            LiveVerdict::Safe { .. } => assert!(!expected, "{at}, set {justice}"),
            LiveVerdict::Unknown(_) => {}
        }
        counts[match verdict {
            LiveVerdict::Safe { .. } => 0,
            LiveVerdict::Unsafe(_) => 1,
            LiveVerdict::Unknown(_) => 2,
        }] += 1;
    }
    counts
}

#[test]
fn complete_engines_agree_with_explicit_search() {
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(Bdd(BddOptions { node_limit: 1 << 16, ..Default::default() })),
        Box::new(Ic3::default()),
    ];
    let mut counts = [0; 3];
    for seed in 0..250 {
        let aig = sample(seed);
        for engine in &engines {
            for method in [Method::LivenessToSafety, Method::Both] {
                let options = LivenessOptions { method, ..Default::default() };
                let at = format!("seed {seed}, {}, {method:?}", engine.name());
                for (sum, found) in counts.iter_mut().zip(check(&aig, &**engine, &options, &at)) {
                    *sum += found;
                }
            }
        }
    }
    assert!(counts[0] > 400 && counts[1] > 200 && counts[2] == 0, "{counts:?}");
}

#[test]
fn other_engines_and_k_liveness_are_never_wrong() {
    let bmc = Bmc(BmcOptions { max_depth: Some(10), ..Default::default() });
    let mut counts = [[0; 3]; 3];
    for seed in 1000..1200 {
        let aig = sample(seed);
        let l2s = LivenessOptions { method: Method::LivenessToSafety, ..Default::default() };
        let klive = LivenessOptions { method: Method::KLiveness, ..Default::default() };
        let runs: [(&dyn Engine, &LivenessOptions); 3] =
            [(&bmc, &l2s), (&Kind::default(), &l2s), (&Ic3::default(), &klive)];
        for ((engine, options), counts) in runs.into_iter().zip(&mut counts) {
            let at = format!("seed {seed}, {}", engine.name());
            for (sum, found) in counts.iter_mut().zip(check(&aig, engine, options, &at)) {
                *sum += found;
            }
        }
    }
    assert!(counts[0][1] > 40 && counts[1][0] > 60, "{counts:?}");
    assert!(counts[2][0] > 60 && counts[2][1] == 0, "{counts:?}");
}

/// A latch that an input sets and nothing resets, and one that toggles.
fn set_and_toggle() -> Aig {
    let mut aig = Aig::new();
    let go = aig.input(None);
    let set = aig.latch(Reset::Zero, None);
    let next = aig.or(set, go);
    aig.set_next(set, next);
    let toggle = aig.latch(Reset::Zero, None);
    aig.set_next(toggle, !toggle);
    aig.justice.push(Named { value: vec![set, toggle], name: None });
    aig.fairness.push(Named { value: !toggle, name: None });
    aig
}

#[test]
fn malformed_lassos_are_refuted() {
    let aig = set_and_toggle();
    let frames = |n: usize| vec![vec![true]; n];
    let good = Lasso { justice: 0, initial: vec![false; 2], inputs: frames(3), loop_start: 1 };
    let refute = |lasso: Lasso| {
        let verdict = LiveVerdict::Unsafe(lasso);
        audit(&aig, 0, &verdict, &AuditOptions::default(), &Budget::unlimited())
    };
    assert_eq!(refute(good.clone()), Audit::Confirmed);
    let never = vec![vec![false]; 3];
    let cases = [
        (Lasso { justice: 1, ..good.clone() }, Fault::OtherProperty(1)),
        (Lasso { loop_start: 3, ..good.clone() }, Fault::Shape),
        (Lasso { initial: vec![], ..good.clone() }, Fault::Shape),
        (Lasso { inputs: vec![vec![]; 3], ..good.clone() }, Fault::Shape),
        (Lasso { initial: vec![false, true], ..good.clone() }, Fault::Reset(1)),
        (Lasso { loop_start: 0, inputs: frames(2), ..good.clone() }, Fault::LoopOpen(0)),
        (Lasso { inputs: frames(2), ..good.clone() }, Fault::LoopOpen(1)),
        (Lasso { inputs: never, ..good.clone() }, Fault::NotJust(0)),
    ];
    for (lasso, fault) in cases {
        assert_eq!(refute(lasso.clone()), Audit::Refuted(fault), "{lasso:?}");
    }
    let mut unfair = aig.clone();
    unfair.fairness[0].value = Lit::FALSE;
    let verdict = LiveVerdict::Unsafe(good);
    let found = audit(&unfair, 0, &verdict, &AuditOptions::default(), &Budget::unlimited());
    assert_eq!(found, Audit::Refuted(Fault::NotFair(0)));
}

/// A proof for one reduction is none for another, nor for a set that is violated.
#[test]
fn a_certificate_for_another_circuit_is_refuted() {
    let mut aig = set_and_toggle();
    aig.justice.push(Named { value: vec![Lit::FALSE], name: None });
    let options = LivenessOptions { method: Method::LivenessToSafety, ..Default::default() };
    let verdicts =
        solve(&aig, &[0, 1], &Ic3::default(), &options, &mut Silent, &Budget::unlimited());
    let LiveVerdict::Safe { certificate, .. } = &verdicts[1] else { panic!("{verdicts:?}") };
    for reduction in [Reduction::LivenessToSafety, Reduction::KLiveness { k: 1 }] {
        let verdict = LiveVerdict::Safe { reduction, certificate: certificate.clone() };
        let found = audit(&aig, 0, &verdict, &AuditOptions::default(), &Budget::unlimited());
        assert!(matches!(found, Audit::Refuted(_)), "{found:?}");
    }
}

#[test]
fn a_spent_budget_is_unknown() {
    let aig = set_and_toggle();
    let cancel = Cancel::new();
    cancel.cancel();
    let budget = Budget::new(None, None, cancel);
    let options = LivenessOptions::default();
    let verdicts = solve(&aig, &[0], &Ic3::default(), &options, &mut Silent, &budget);
    assert!(matches!(verdicts[..], [LiveVerdict::Unknown(Reason::Stopped { .. })]));
}
