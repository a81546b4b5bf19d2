//! Random thread programs, abstract ones and such in C that use the whole thread library: the
//! explicit-state explorer (the reference) against the explorer under every reduction, the
//! circuit with bounded model checking under every reduction, random runs of the circuit, and
//! real runs of the C programs.
//!
//! `LATCHWORK_FUZZ=N` runs N programs in place of the few of a normal test, beginning with seed
//! `LATCHWORK_SEED`. A failure prints the program's seed and its text.

mod agree;
mod bounded;
mod c;
mod case;
mod native;
mod simulate;

use std::ops::Range;

use agree::Tally;
use c::{Mode, Source};
use case::Case;
use latchwork::base::with_deep_stack;
use latchwork::sched::Reduction;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Seeds: few, or as many as `LATCHWORK_FUZZ` says.
fn seeds(few: u64) -> Range<u64> {
    let first = number("LATCHWORK_SEED", 0);
    first..first + number("LATCHWORK_FUZZ", few)
}

/// Each seed has one of the reductions, whatever the number of reductions.
fn reduction(seed: u64) -> Reduction {
    let reduced = &Reduction::ALL[1..];
    reduced[seed as usize % reduced.len()]
}

fn judge(tally: &Tally, rounds: u64) {
    println!("of {rounds} programs: {tally:?}");
    for (property, [clean, violated]) in &tally.by_property {
        // Few programs have these answers; of the few in C all accesses may be valid.
        let few = ["atomic-blocked", "bound-reached", "deadlock", "undefined"];
        let rare = few.contains(&property.as_str()) && clean + violated < 300;
        assert!(rare || *clean > 0 && *violated > 0, "{property} is not tested");
    }
    assert!(tally.programs * 2 > rounds, "most programs must be small enough");
    assert!(tally.reduced * 4 > rounds, "many must be small enough for a reduction");
    let least = tally.violated.min(tally.clean).min(4 * tally.proofs);
    assert!(least * 20 > rounds, "each kind of answer must occur");
}

#[test]
fn random_programs_agree() {
    let seeds = seeds(300);
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        Case::random(seed).compare(reduction(seed), &mut tally);
    }
    judge(&tally, seeds.end - seeds.start);
}

/// With a bound on switches of threads, in place of a reduction.
#[test]
fn random_programs_agree_under_context_bounds() {
    let seeds = seeds(60);
    let rounds = seeds.end - seeds.start;
    let mut tally = bounded::Tally::default();
    for seed in seeds {
        bounded::compare(seed, &Case::random(seed), &mut tally);
    }
    println!("of {rounds} programs: {tally:?}");
    assert!(tally.programs * 3 > rounds && tally.violated > 0 && tally.missed > 0);
}

/// Needs no solver, so it can look at more programs.
#[test]
fn runs_of_circuits_are_runs_of_programs() {
    for seed in seeds(1000) {
        simulate::simulate(seed, &Case::random(1 << 40 | seed));
    }
}

#[test]
fn random_c_programs_agree() {
    let seeds = seeds(60);
    let mut tally = Tally::default();
    with_deep_stack(|| {
        for chunk in chunks(seeds.clone()) {
            let numbered = chunk.enumerate();
            let sources: Vec<Source> =
                numbered.map(|(id, seed)| c::generate(id, seed, Mode::Any)).collect();
            for (source, program) in sources.iter().zip(c::lowered(&sources, true)) {
                let case = Case::of_c(source, program);
                simulate::simulate(source.seed, &case);
                case.compare(reduction(source.seed), &mut tally);
            }
        }
    });
    judge(&tally, seeds.end - seeds.start);
}

/// Programs of one mode whose behaviour is known, with what the explorer says.
fn known(seeds: Range<u64>, mode: Mode) -> Vec<(Source, native::Reachable)> {
    let sources: Vec<Source> =
        seeds.enumerate().map(|(id, seed)| c::generate(id, seed, mode)).collect();
    with_deep_stack(|| {
        let programs = c::lowered(&sources, false);
        let all = sources.into_iter().zip(programs);
        all.filter_map(|(source, program)| {
            let known = native::reachable(&source, &program, 100_000)?;
            (!known.undefined).then_some((source, known))
        })
        .collect()
    })
}

/// Programs that are compiled together.
const CHUNK: u64 = 50;

fn chunks(seeds: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let end = seeds.end;
    seeds.step_by(CHUNK as usize).map(move |first| first..end.min(first + CHUNK))
}

/// What really happens is what the explorer says can happen.
#[test]
fn real_runs_are_explored() {
    let seeds = seeds(60);
    let rounds = seeds.end - seeds.start;
    let (mut programs, mut seen, mut possible) = (0, 0, 0);
    for chunk in chunks(seeds) {
        let list = known(chunk, Mode::Native);
        // A program that may hang would take all its seconds.
        let list: Vec<_> = list.into_iter().filter(|(_, known)| !known.deadlock).collect();
        let sources: Vec<&Source> = list.iter().map(|(source, _)| source).collect();
        for ((source, known), runs) in list.iter().zip(native::run(&sources, 200, 20)) {
            for (outcome, count) in &runs {
                assert!(
                    known.outcomes.contains(outcome),
                    "seed {}: {count} real runs end with {outcome}, the explorer knows only {:?}\n{}",
                    source.seed,
                    known.outcomes,
                    source.text
                );
            }
            programs += 1;
            seen += runs.len();
            possible += known.outcomes.len();
        }
    }
    println!("{programs} of {rounds} programs: {seen} of {possible} outcomes occurred");
    assert!(programs * 3 > rounds, "most programs must be small and defined");
    assert!(seen * 5 > possible, "runs must differ");
}

/// A program without threads has one run, which ends in the same way.
#[test]
fn single_threads_run_alike() {
    let seeds = seeds(200);
    let rounds = seeds.end - seeds.start;
    let mut programs = 0;
    for chunk in chunks(seeds) {
        let list = known(chunk, Mode::Single);
        let sources: Vec<&Source> = list.iter().map(|(source, _)| source).collect();
        for ((source, known), runs) in list.iter().zip(native::run(&sources, 1, 1)) {
            let real: Vec<_> = runs.keys().cloned().collect();
            let hang = known.deadlock.then(|| "hang".to_string());
            let explored: Vec<_> = known.outcomes.iter().cloned().chain(hang).collect();
            assert_eq!(real, explored, "real and explored: seed {}\n{}", source.seed, source.text);
            programs += 1;
        }
    }
    println!("{programs} of {rounds} programs are defined");
    assert!(programs * 10 > rounds * 8, "most programs must be defined");
}
