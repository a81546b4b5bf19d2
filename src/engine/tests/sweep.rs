//! Swept circuits against the originals.

use super::reference::{Kind, Sample, is_run, reachable};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Rng};
use crate::engine::Problem;
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::sweep::{SweepOptions, Swept, sweep};
use crate::outcome::{Certificate, Trace, Verdict};

fn swept(problem: &Problem, options: &SweepOptions) -> Swept {
    sweep(problem, options, &Budget::unlimited()).expect("there is no limit")
}

#[test]
fn swept_circuits_have_the_same_violations() {
    let mut smaller = 0;
    for seed in 0..400 {
        let kind = [Kind::Plain, Kind::Moving, Kind::Ending][seed as usize % 3];
        let sample = Sample::random(seed, kind);
        let problem = sample.problem();
        let mut rng = Rng::new(seed);
        let signals = !rng.one_in(4);
        let frames = 1 + rng.below(3);
        let options = SweepOptions { runs: 1, frames, signals, ..SweepOptions::default() };
        let swept = swept(&problem, &options);
        smaller += usize::from(swept.aig.nodes().len() < problem.aig.nodes().len());
        let expected = reachable(problem.aig);
        let found = reachable(&swept.aig);
        for bad in 0..expected.len() {
            assert_eq!(found[bad], expected[bad], "seed {seed}, property {bad}");
        }
        // Random runs of the swept circuit are runs of the original.
        for _ in 0..20 {
            let initial: Vec<bool> = swept
                .aig
                .latches()
                .iter()
                .map(|l| l.reset == Reset::One || l.reset == Reset::Free && rng.one_in(2))
                .collect();
            let frame = |rng: &mut Rng| swept.aig.inputs().iter().map(|_| rng.one_in(2)).collect();
            let inputs: Vec<Vec<bool>> = (0..1 + rng.below(3)).map(|_| frame(&mut rng)).collect();
            for bad in 0..expected.len() {
                let trace = Trace { bad, initial: initial.clone(), inputs: inputs.clone() };
                if is_run(&swept.aig, &trace) {
                    let Verdict::Unsafe(back) = swept.verdict(problem.aig, Verdict::Unsafe(trace))
                    else {
                        panic!("a violation stays one")
                    };
                    assert!(is_run(problem.aig, &back), "seed {seed}, property {bad}");
                }
            }
        }
    }
    assert!(smaller > 200, "{smaller}");
}

/// Two counters in step, the parities of which are computed in different ways.
fn twins() -> Aig {
    let mut aig = Aig::new();
    let go = aig.input(None);
    let mut parities = vec![];
    for reversed in [false, true] {
        let bits: Vec<Lit> = (0..3).map(|_| aig.latch(Reset::Zero, None)).collect();
        let mut carry = go;
        for &bit in &bits {
            let next = aig.xor(bit, carry);
            carry = aig.and(bit, carry);
            aig.set_next(bit, next);
        }
        let order: Vec<Lit> = if reversed { bits.into_iter().rev().collect() } else { bits };
        let first = aig.xor(order[0], order[1]);
        parities.push(aig.xor(first, order[2]));
    }
    let differ = aig.xor(parities[0], parities[1]);
    aig.bads.push(Named { value: differ, name: None });
    aig
}

#[test]
fn equal_latches_and_signals_are_merged_and_proved() {
    let aig = twins();
    let problem = Problem::new(&aig);
    let swept = swept(&problem, &SweepOptions::default());
    assert_eq!(swept.aig.bads[0].value, Lit::FALSE);
    assert!(swept.aig.latches().is_empty());
    let verdict = swept.verdict(&aig, Verdict::Safe(Certificate::Trivial));
    let audits = audit(&problem, &[verdict], &AuditOptions::default(), &Budget::unlimited());
    assert_eq!(audits, [Audit::Confirmed]);
}
