//! Relations between latches.

use super::reference::{Frame, Kind, Sample};
use crate::aig::{Aig, Reset};
use crate::base::{Budget, HashSet};
use crate::engine::relations::{RelationOptions, relations};
use crate::sat::Backend;

fn found(aig: &Aig, options: &RelationOptions) -> Vec<Vec<(usize, bool)>> {
    relations(aig, options, &Budget::unlimited()).expect("there is no limit")
}

/// All states that runs visit, from 0 on where latches have no reset value.
fn reachable(aig: &Aig) -> HashSet<u32> {
    let bits = |f: fn(Reset) -> bool| -> u32 {
        aig.latches().iter().enumerate().map(|(k, l)| u32::from(f(l.reset)) << k).sum()
    };
    let (ones, free) = (bits(|r| r == Reset::One), bits(|r| r == Reset::Free));
    let mut open: Vec<u32> = (0..1 << aig.latches().len()).filter(|s| s & !free == ones).collect();
    let mut seen: HashSet<u32> = open.iter().copied().collect();
    while let Some(state) = open.pop() {
        for inputs in 0..1 << aig.inputs().len() {
            let frame = Frame::new(aig, state, inputs);
            let next = frame.next(aig);
            if frame.legal(aig) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn relations_hold_in_all_reachable_states() {
    let mut counts = [0; 2];
    for seed in 0..500 {
        let sample = Sample::random(seed, Kind::Plain);
        // Few samples, so that many candidates are wrong.
        let options = RelationOptions {
            runs: 1,
            frames: 1 + seed as usize % 4,
            backend: Backend::ALL[seed as usize % 3],
            ..RelationOptions::default()
        };
        let clauses = found(&sample.aig, &options);
        for state in reachable(&sample.aig) {
            for clause in &clauses {
                let holds = clause.iter().any(|&(k, value)| (state >> k & 1 == 1) == value);
                assert!(holds, "seed {seed}, state {state:b}: {clause:?}");
            }
        }
        for clause in clauses {
            counts[clause.len() - 1] += 1;
        }
    }
    assert!(counts[0] > 50 && counts[1] > 50, "{counts:?}");
}

#[test]
fn constants_equivalences_and_implications_are_found() {
    let mut aig = Aig::new();
    let input = aig.input(None);
    let [a, b, c] = [Reset::Zero, Reset::One, Reset::Zero].map(|r| aig.latch(r, None));
    let constant = aig.latch(Reset::One, None);
    // b is the complement of a; c is true in some of the states where a is.
    aig.set_next(a, input);
    aig.set_next(b, !input);
    let both = aig.and(input, a);
    aig.set_next(c, both);
    let stays = aig.and(constant, constant);
    aig.set_next(constant, stays);
    let clauses = found(&aig, &RelationOptions::default());
    assert_eq!(
        clauses,
        [
            vec![(0, false), (1, false)],
            vec![(0, true), (1, true)],
            vec![(3, true)],
            vec![(0, true), (2, false)],
        ]
    );
    let options = RelationOptions { implications: 0, ..RelationOptions::default() };
    assert_eq!(found(&aig, &options), clauses[..3]);
}
