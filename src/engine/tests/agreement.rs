//! All embedded engines, with all their techniques, against breadth-first search on random small
//! circuits. (Those of others: `external::tests::real`.)

use super::reference::{Kind, Sample};
use crate::aig::random::{ALL_RESETS, RandomOptions, random_aig, shortest_violations};
use crate::base::{Budget, Rng};
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::ic3::{Ic3, Ic3Options};
use crate::engine::kind::{Kind as Induction, KindOptions};
use crate::engine::relations::RelationOptions;
use crate::engine::sweep::SweepOptions;
use crate::engine::{Engine, Silent, embedded};
use crate::outcome::Verdict;
use crate::sat::Backend;

/// Number of circuits: few, or what LATCHWORK_FUZZ says.
pub(crate) fn circuits(few: u64) -> u64 {
    std::env::var("LATCHWORK_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// A circuit of up to `latches` latches, without signals about moves, or with them.
pub(crate) fn sample(seed: u64, latches: usize) -> Sample {
    let mut rng = Rng::new(seed);
    if rng.one_in(3) {
        return Sample::random(seed, *rng.pick(&[Kind::Plain, Kind::Moving, Kind::Ending]));
    }
    let options = RandomOptions {
        inputs: rng.below(4),
        latches: 1 + rng.below(latches),
        ands: rng.below(8 * latches),
        bads: 1 + rng.below(2),
        constraints: rng.below(3) * rng.below(2),
        resets: &ALL_RESETS,
        ..RandomOptions::tiny()
    };
    Sample { aig: random_aig(&mut rng, &options), moved: None, can_move: None }
}

/// Counts of (safe, unsafe) properties on which the engine agrees with `expected`.
fn agree(
    engine: &dyn Engine,
    backend: Backend,
    sample: &Sample,
    expected: &[Option<usize>],
    seed: u64,
) -> (usize, usize) {
    let problem = sample.problem();
    let verdicts = engine.run(&problem, &mut Silent, &Budget::unlimited());
    let options = AuditOptions { backend: backend.other() };
    let audits = audit(&problem, &verdicts, &options, &Budget::unlimited());
    let mut counts = (0, 0);
    for (bad, verdict) in verdicts.iter().enumerate() {
        let at = format!("{}, seed {seed}, property {bad}", engine.name());
        match (verdict, expected[bad]) {
            (Verdict::Safe(_), None) => counts.0 += 1,
            (Verdict::Unsafe(trace), Some(depth)) => {
                assert!(trace.inputs.len() > depth, "{at}: shorter than possible");
                counts.1 += 1;
            }
            (verdict, expected) => panic!("{at}: {verdict:?} but {expected:?}"),
        }
        assert_eq!(audits[bad], Audit::Confirmed, "{at}: {verdict:?}");
    }
    counts
}

/// Runs the engine that `engine` makes for each seed, on as many circuits.
fn all_agree(engine: impl Fn(&mut Rng, Backend) -> Box<dyn Engine>) {
    let mut counts = (0, 0);
    for seed in 0..circuits(300) {
        let mut rng = Rng::new(seed);
        let backend = *rng.pick(&Backend::ALL);
        let sample = sample(seed, 6);
        let expected = shortest_violations(&sample.aig);
        let engine = engine(&mut rng, backend);
        let (safe, violated) = agree(&*engine, backend, &sample, &expected, seed);
        counts.0 += safe;
        counts.1 += violated;
    }
    assert!(counts.0 > 100 && counts.1 > 100, "{counts:?}");
}

#[test]
fn ic3() {
    all_agree(|rng, backend| {
        Box::new(Ic3(Ic3Options {
            backend,
            together: rng.one_in(2),
            ctgs: rng.below(4),
            ctg_after: rng.below(3),
            ctg_depth: rng.below(3),
            reinsertion: rng.one_in(2),
            lift_again: rng.one_in(2),
            triggered_pushing: rng.one_in(2),
            eliminate: rng.one_in(2),
            restart: *rng.pick(&[0, 3, 300]),
            hard_after: *rng.pick(&[None, Some(1), Some(10)]),
            sweep: rng.one_in(2).then(|| SweepOptions {
                // Few runs, so that many signals are alike by chance.
                runs: 1,
                frames: 1 + rng.below(3),
                ..SweepOptions::default()
            }),
            signals_after: *rng.pick(&[None, Some(0), Some(3), Some(20)]),
            first: false,
            max_depth: None,
        }))
    });
}

#[test]
fn k_induction() {
    all_agree(|rng, backend| {
        Box::new(Induction(KindOptions {
            relations: rng.one_in(2).then(RelationOptions::default),
            backend,
            ..Default::default()
        }))
    });
}

/// Every engine that says that it can prove anything, as users get it.
#[test]
fn embedded_engines() {
    let mut engines = embedded();
    engines.retain(|e| e.capabilities().proves_looping);
    assert!(engines.len() >= 3);
    let mut counts = vec![(0, 0); engines.len()];
    for seed in 0..circuits(100) {
        let sample = sample(1 << 32 | seed, 9);
        let expected = shortest_violations(&sample.aig);
        for (engine, counts) in engines.iter().zip(&mut counts) {
            let found = agree(&**engine, Backend::default(), &sample, &expected, seed);
            *counts = (counts.0 + found.0, counts.1 + found.1);
        }
    }
    assert!(counts.iter().all(|&c| c == counts[0] && c.0 > 30 && c.1 > 30), "{counts:?}");
}
