//! Tests of simulation and passes on random graphs.

use super::random::{
    ALL_RESETS, RandomOptions, random_aig, random_initial, random_inputs, shortest_violations,
};
use super::*;
use crate::base::{Budget, Rng};

type Pass = (&'static str, fn(&Aig) -> (Aig, Restore));

fn passes() -> Vec<Pass> {
    vec![
        ("reorder", reorder),
        ("compact", compact),
        ("constant", remove_constant_latches),
        ("duplicate", |a| remove_duplicate_latches(a, &Budget::unlimited())),
        ("cone", |a| cone(a, Roots::Properties)),
        ("cone with outputs", |a| cone(a, Roots::PropertiesAndOutputs)),
        ("cone of a bad", |a| cone(a, Roots::Bad(a.bads.len() - 1))),
        ("cone of justice", |a| cone(a, Roots::Justice(a.justice.len() - 1))),
        ("simplify", |a| simplify(a, Roots::PropertiesAndOutputs, &Budget::unlimited())),
        ("simplify for a bad", |a| simplify(a, Roots::Bad(0), &Budget::unlimited())),
    ]
}

fn some_of_each() -> RandomOptions {
    RandomOptions {
        inputs: 4,
        latches: 8,
        ands: 40,
        outputs: 2,
        bads: 3,
        constraints: 1,
        justice: 2,
        fairness: 1,
        resets: &ALL_RESETS,
        names: true,
    }
}

/// Runs the reduced graph and, on the restored run, the original; every literal that maps must
/// have the same value in every frame.
fn same_values(aig: &Aig, small: &Aig, restore: &Restore, rng: &mut Rng, what: &str) {
    let initial = random_initial(rng, small);
    let inputs = random_inputs(rng, small, 12);
    let (old_initial, old_inputs) = restore.run(&initial, &inputs);
    assert_eq!(aig.bad_reset(&old_initial), None, "{what}: restored run starts in a reset state");
    let mut new = Simulator::new(small, &initial);
    let mut old = Simulator::new(aig, &old_initial);
    for (frame, (vector, old_vector)) in inputs.iter().zip(&old_inputs).enumerate() {
        new.eval(vector);
        old.eval(old_vector);
        for var in aig.nodes().ids() {
            let lit = Lit::new(var, false);
            if let Some(mapped) = restore.lit(lit) {
                assert_eq!(old.value(lit), new.value(mapped), "{what}: {lit:?} in frame {frame}");
            }
        }
        new.advance();
        old.advance();
    }
    let (initial, inputs) = restore.forward(&old_initial, &old_inputs);
    assert_eq!(initial.len(), small.latches().len(), "{what}");
    assert!(inputs.iter().all(|v| v.len() == small.inputs().len()), "{what}");
    assert_eq!(restore.run(&initial, &inputs), (old_initial, old_inputs), "{what}");
}

/// As [`same_values`], and the properties are the literals that map.
fn agree(aig: &Aig, small: &Aig, restore: &Restore, rng: &mut Rng, what: &str) {
    same_values(aig, small, restore, rng, what);
    for (k, bad) in small.bads.iter().enumerate() {
        let original = &aig.bads[restore.bad(k)];
        assert_eq!((Some(bad.value), &bad.name), (restore.lit(original.value), &original.name));
    }
    for (k, set) in small.justice.iter().enumerate() {
        let original = &aig.justice[restore.justice(k)];
        let mapped: Option<Vec<Lit>> = original.value.iter().map(|&l| restore.lit(l)).collect();
        assert_eq!((Some(&set.value), &set.name), (mapped.as_ref(), &original.name), "{what}");
    }
    for (new, old) in small.constraints.iter().zip(&aig.constraints) {
        assert_eq!(Some(new.value), restore.lit(old.value), "{what}");
    }
}

#[test]
fn passes_keep_behaviour() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let aig = random_aig(&mut rng, &some_of_each());
        for (name, pass) in passes() {
            let (small, restore) = pass(&aig);
            agree(&aig, &small, &restore, &mut rng, &format!("{name}, seed {seed}"));
        }
    }
}

#[test]
fn composed_passes_keep_behaviour() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let aig = random_aig(&mut rng, &some_of_each());
        let passes = &passes()[..6];
        let (first, one) = (rng.pick(passes).1)(&aig);
        let (second, two) = (rng.pick(passes).1)(&first);
        let (third, three) = (rng.pick(passes).1)(&second);
        let restore = one.then(&two).then(&three);
        agree(&aig, &third, &restore, &mut rng, &format!("seed {seed}"));
        assert_eq!(restore, one.then(&two.then(&three)), "seed {seed}");
    }
}

#[test]
fn passes_keep_reachability() {
    let options =
        RandomOptions { bads: 3, constraints: 1, resets: &ALL_RESETS, ..RandomOptions::tiny() };
    let (mut reached, mut removed) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let aig = random_aig(&mut rng, &RandomOptions { justice: 1, ..options.clone() });
        let expected = shortest_violations(&aig);
        reached += expected.iter().flatten().count();
        for (name, pass) in passes() {
            let (small, restore) = pass(&aig);
            removed += aig.latches().len() - small.latches().len();
            for (k, depth) in shortest_violations(&small).into_iter().enumerate() {
                assert_eq!(depth, expected[restore.bad(k)], "{name}, seed {seed}");
            }
        }
    }
    assert!(reached > 100 && removed > 100, "the graphs are too dull: {reached}, {removed}");
}

#[test]
fn normal_forms_have_the_same_violations() {
    let options =
        RandomOptions { bads: 3, constraints: 1, resets: &ALL_RESETS, ..RandomOptions::tiny() };
    let (mut reached, mut gated) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions { constraints: seed as usize % 3, ..options.clone() };
        let aig = random_aig(&mut rng, &options);
        let (normal, restore) = normalise(&aig);
        assert!(normal.latches().iter().all(|l| l.reset == Reset::Zero));
        assert!(normal.constraints.is_empty());
        same_values(&aig, &normal, &restore, &mut rng, &format!("seed {seed}"));
        let expected = shortest_violations(&aig);
        assert_eq!(shortest_violations(&normal), expected, "seed {seed}");
        reached += expected.iter().flatten().count();
        let mut without = aig.clone();
        without.constraints.clear();
        gated += expected
            .iter()
            .zip(shortest_violations(&without))
            .filter(|(with, without)| *with != without)
            .count();
        // Every violating run of the normal form is one of the original, and the other way round.
        let initial = random_initial(&mut rng, &aig);
        let inputs = random_inputs(&mut rng, &aig, 6);
        let frames = run(&aig, &initial, &inputs);
        let (first, vectors) = restore.forward(&initial, &inputs);
        let mut legal = true;
        for (old, new) in frames.iter().zip(run(&normal, &first, &vectors)) {
            legal &= old.legal();
            let bads: Vec<bool> = old.bads.iter().map(|b| *b && legal).collect();
            assert_eq!(new.bads, bads, "seed {seed}");
        }
        // Composition finds the first values of free latches again.
        let (small, cut) = cone(&normal, Roots::Bad(0));
        same_values(&aig, &small, &restore.then(&cut), &mut rng, &format!("cone, seed {seed}"));
    }
    assert!(reached > 100 && gated > 50, "the graphs are too dull: {reached}, {gated}");
}

#[test]
fn normal_forms_gate_justice() {
    let mut aig = Aig::new();
    let x = aig.input(None);
    let y = aig.input(None);
    aig.constraints.push(Named { value: x, name: None });
    aig.justice.push(Named { value: vec![y], name: None });
    let (normal, _) = normalise(&aig);
    let frames = run(&normal, &[false], &[vec![true, true], vec![false, true], vec![true, true]]);
    let holds: Vec<bool> = frames.iter().map(|f| f.justice[0].iter().all(|&l| l)).collect();
    assert_eq!(holds, [true, false, false]);
}

#[test]
fn words_simulate_like_bits() {
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let aig = random_aig(&mut rng, &some_of_each());
        let words = |n: usize, rng: &mut Rng| (0..n).map(|_| rng.next_u64()).collect::<Vec<_>>();
        let initial = words(aig.latches().len(), &mut rng);
        let inputs: Vec<_> = (0..8).map(|_| words(aig.inputs().len(), &mut rng)).collect();
        let mut sim = Simulator::new(&aig, &initial);
        let lane = rng.below(64);
        let bit = |w: &Vec<u64>| w.iter().map(|w| w >> lane & 1 == 1).collect::<Vec<bool>>();
        let frames = run(&aig, &bit(&initial), &inputs.iter().map(bit).collect::<Vec<_>>());
        for (vector, frame) in inputs.iter().zip(&frames) {
            sim.eval(vector);
            let bads = aig.bads.iter().map(|b| sim.value(b.value)).collect::<Vec<_>>();
            assert_eq!(bit(&bads), frame.bads, "seed {seed}");
            assert_eq!(bit(&sim.state().to_vec()), frame.latches, "seed {seed}");
            sim.advance();
        }
    }
}

/// A two-bit counter with an enable input, its copy with one bit inverted, and a stuck latch.
fn counters() -> Aig {
    let mut aig = Aig::new();
    let enable = aig.input(Some("enable".into()));
    let unused = aig.input(Some("unused".into()));
    let low = aig.latch(Reset::Zero, Some("low".into()));
    let high = aig.latch(Reset::Zero, Some("high".into()));
    let not_low = aig.latch(Reset::One, Some("not_low".into()));
    let high2 = aig.latch(Reset::Zero, Some("high2".into()));
    let stuck = aig.latch(Reset::One, Some("stuck".into()));
    let lonely = aig.latch(Reset::Free, Some("lonely".into()));
    let next = aig.xor(low, enable);
    aig.set_next(low, next);
    let next = aig.xor(!not_low, enable);
    aig.set_next(not_low, !next);
    let (carry, carry2) = (aig.and(low, enable), aig.and(!not_low, enable));
    let next = aig.xor(high, carry);
    aig.set_next(high, next);
    let next = aig.xor(high2, carry2);
    aig.set_next(high2, next);
    let next = aig.or(stuck, unused);
    aig.set_next(stuck, next);
    aig.set_next(lonely, unused);
    let copies = aig.and(high2, !not_low);
    let originals = aig.and(high, low);
    let bad = aig.and_all([copies, originals, stuck]);
    aig.bads.push(Named { value: bad, name: Some("three".into()) });
    aig
}

#[test]
fn known_counter_shrinks_to_its_core() {
    let aig = counters();
    let (small, restore) = simplify(&aig, Roots::Properties, &Budget::unlimited());
    let names = |list: &[Latch]| list.iter().map(|l| l.name.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(names(small.latches()), ["low", "high"]);
    assert_eq!(small.inputs().len(), 1);
    assert_eq!(small.inputs()[0].name.as_deref(), Some("enable"));
    assert_eq!(small.bads[0].name.as_deref(), Some("three"));
    // Two exclusive ors of three ands, the carry among them and once more, and high & low.
    assert_eq!(small.num_ands(), 7);
    let (initial, inputs) = restore.run(&[false, false], &vec![vec![true]; 4]);
    assert_eq!(initial, [false, false, true, false, true, false]);
    let frames = run(&aig, &initial, &inputs);
    assert_eq!(frames.iter().map(|f| f.bads[0]).collect::<Vec<_>>(), [false, false, false, true]);
    assert_eq!(shortest_violations(&aig), [Some(3)]);
}

#[test]
fn constants_and_duplicates_are_told_apart() {
    let aig = counters();
    let (no_constants, _) = remove_constant_latches(&aig);
    assert_eq!(no_constants.latches().len(), 5);
    let (no_copies, _) = remove_duplicate_latches(&aig, &Budget::unlimited());
    assert_eq!(no_copies.latches().len(), 4);
    let cancelled = Budget::unlimited();
    cancelled.cancel().cancel();
    let (same, _) = remove_duplicate_latches(&aig, &cancelled);
    assert_eq!(same.latches().len(), aig.latches().len());
}

#[test]
fn free_latches_are_never_duplicates() {
    let mut aig = Aig::new();
    let input = aig.input(None);
    for _ in 0..2 {
        let latch = aig.latch(Reset::Free, None);
        aig.set_next(latch, input);
    }
    let (same, _) = remove_duplicate_latches(&aig, &Budget::unlimited());
    assert_eq!(same.latches().len(), 2);
}

#[test]
fn ternary_simulation_follows_the_reset_of_the_next_state() {
    // A latch that starts at 0 and becomes 1 is no constant, nor is what copies it.
    let mut aig = Aig::new();
    let first = aig.latch(Reset::Zero, None);
    let second = aig.latch(Reset::Zero, None);
    aig.set_next(first, Lit::TRUE);
    aig.set_next(second, first);
    assert_eq!(remove_constant_latches(&aig).0.latches().len(), 2);
}

#[test]
fn late_differences_are_found_by_refinement() {
    // Stage k becomes 1 in frame k + 1, long after the random simulation has ended.
    let mut aig = Aig::new();
    let mut before = Lit::TRUE;
    for _ in 0..40 {
        let stage = aig.latch(Reset::Zero, None);
        aig.set_next(stage, before);
        before = stage;
    }
    let (same, _) = remove_duplicate_latches(&aig, &Budget::unlimited());
    assert_eq!(same.latches().len(), 40);
}
