//! Random thread programs: the explicit-state explorer (the reference) against the circuit with
//! bounded model checking, site by site; every violation is replayed on the way. And random runs
//! of the circuit against the interpreter, frame by frame.
//!
//! `LATCHWORK_FUZZ=N` runs N programs in place of the few of a normal test. A failure prints the
//! program's seed and its text.

mod simulate;

use std::collections::BTreeSet;

use latchwork::analysis::points_to;
use latchwork::base::{Budget, Rng};
use latchwork::driver::{Loaded, check_program, visible_holds};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::explore::{ExploreOptions, Explorer};
use latchwork::program::random::{RandomOptions, add_observers, random_program};
use latchwork::program::{Machine, Program, Scope, SiteId, State, VarId, print, validate};
use latchwork::property::{PropertyKind, Question, TargetKind, resolve};
use latchwork::report::{Evidence, PropertyVerdict};

/// Number of programs: few, or what `LATCHWORK_FUZZ` says.
fn rounds(few: u64) -> u64 {
    std::env::var("LATCHWORK_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// A random program and what is asked of it: its sites, and often invariants. Those make every
/// access visible, so half of the programs have none.
fn random_case(seed: u64) -> (Program, Vec<PropertyKind>) {
    let mut rng = Rng::new(seed);
    let options = RandomOptions {
        threads: 1 + rng.below(4),
        statements: 2 + rng.below(9),
        loops: !rng.one_in(4),
        arrays: !rng.one_in(4),
        ..RandomOptions::default()
    };
    let mut program = random_program(&mut rng, &options);
    points_to(&mut program);
    validate(&program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let observers = rng.below(4);
    add_observers(&mut rng, &mut program, observers, 2000);
    validate(&program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let mut properties = vec![PropertyKind::Assert];
    if rng.one_in(2) {
        invariants(&mut rng, &program, &mut properties);
    }
    (program, properties)
}

/// Invariants about pairs of shared variables, some of which a run is known to violate.
fn invariants(rng: &mut Rng, program: &Program, properties: &mut Vec<PropertyKind>) {
    let shared: Vec<_> =
        program.vars.iter_enumerated().filter(|(_, v)| v.scope == Scope::Shared).collect();
    for _ in 0..1 + rng.below(3) {
        let (&(a, x), &(b, y)) = (rng.pick(&shared), rng.pick(&shared));
        let e = if rng.one_in(2) {
            format!("{} <= {} + {}", x.name, y.name, rng.below(3))
        } else {
            let (va, vb) = match rng.one_in(3) {
                true => (rng.below(3) as u128, rng.below(3) as u128),
                false => some_values(rng, program, a, b),
            };
            format!("!({} == {va} && {} == {vb})", x.name, y.name)
        };
        if !properties.contains(&PropertyKind::Invariant(e.clone())) {
            properties.push(PropertyKind::Invariant(e));
        }
    }
}

/// Values that two variables have at the same time in some run, as often as not rare ones.
fn some_values(rng: &mut Rng, program: &Program, a: VarId, b: VarId) -> (u128, u128) {
    let mut pairs = BTreeSet::new();
    let mut visit = |state: &State, _| {
        pairs.insert((state.value(a), state.value(b)));
    };
    let options = ExploreOptions { max_states: Some(2000), ..ExploreOptions::default() };
    let machine = Machine::new(program);
    let explorer = Explorer::new(&machine, options).visit(&mut visit);
    explorer.run(&Budget::unlimited()).expect("random programs can be explored");
    *rng.pick(&pairs.into_iter().collect::<Vec<_>>())
}

/// What the explorer says of each target: violated or not. `None` if there are too many states.
fn reference(program: &Program, question: &Question) -> Option<(Vec<bool>, usize)> {
    let machine = Machine::new(program);
    let options = ExploreOptions { max_states: Some(20_000), ..ExploreOptions::default() };
    let invariants: Vec<_> = question.invariants().collect();
    let checks: Vec<_> = invariants.iter().map(|i| |s: &_| visible_holds(program, i, s)).collect();
    let mut explorer = Explorer::new(&machine, options);
    for check in &checks {
        explorer = explorer.invariant(check);
    }
    let found = explorer.run(&Budget::unlimited()).expect("random programs can be explored");
    if found.incomplete.is_some() {
        return None;
    }
    let mut runs = found.invariants.iter();
    let violated = |s: &SiteId| found.sites[*s].is_some();
    let answers = question
        .targets
        .iter()
        .map(|t| match &t.kind {
            TargetKind::Sites(sites) => sites.iter().any(violated),
            TargetKind::Invariant(_) => runs.next().expect("one run for each").is_some(),
        })
        .collect();
    Some((answers, found.depth))
}

/// Numbers of compared things.
#[derive(Default)]
struct Tally {
    programs: u64,
    violated: u64,
    clean: u64,
    complete: u64,
}

/// Compares one program, if it is small enough.
fn compare(seed: u64, tally: &mut Tally) {
    let (program, properties) = random_case(seed);
    let question = resolve(&program, &properties).expect("the invariant is about variables");
    let Some((expected, depth)) = reference(&program, &question) else { return };
    simulate::simulate(seed, &program, &question);
    let text = print(&program);
    // A step of the circuit takes one edge or more, so no state is deeper than this.
    let engine =
        Bmc(BmcOptions { max_depth: Some(depth + 1), exhaustive: true, ..BmcOptions::default() });
    let loaded = Loaded { program, warnings: vec![] };
    let budget = Budget::unlimited();
    let report = check_program(loaded, &properties, &engine, &mut Silent, &budget)
        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    for (target, expected) in question.targets.iter().zip(expected) {
        let reported = report.properties.iter().find(|p| p.property == target.property);
        let found = reported.is_some_and(|p| {
            p.violations
                .iter()
                .any(|v| v.target.span == target.span && v.target.text == target.text)
        });
        assert_eq!(
            found,
            expected,
            "seed {seed}: {} {}: the explorer says {expected}, the circuit {found}\n{text}",
            target.property.name(),
            target.text
        );
        let complete = reported.is_some_and(|p| {
            matches!(p.verdict, PropertyVerdict::Safe(Evidence::Complete { audited: true, .. }))
        });
        assert!(!(complete && expected), "seed {seed}: SAFE of a violated property");
        tally.violated += u64::from(expected);
        tally.clean += u64::from(!expected);
        tally.complete += u64::from(complete);
    }
    tally.programs += 1;
}

#[test]
fn random_programs_explorer_and_circuit_agree() {
    let rounds = rounds(500);
    let mut tally = Tally::default();
    (0..rounds).for_each(|seed| compare(seed, &mut tally));
    println!(
        "{} of {rounds} programs: {} targets violated, {} clean, {} proved",
        tally.programs, tally.violated, tally.clean, tally.complete
    );
    assert!(tally.programs * 2 > rounds, "most programs must be small enough");
    let least = tally.violated.min(tally.clean).min(4 * tally.complete);
    assert!(least * 20 > rounds, "each kind of answer must occur");
}

/// Needs no solver, so it can look at many more programs.
#[test]
fn runs_of_circuits_are_runs_of_programs() {
    for seed in 0..4 * rounds(500) {
        let seed = 1 << 40 | seed;
        let mut rng = Rng::new(seed);
        let options = RandomOptions { statements: 4 + rng.below(9), ..RandomOptions::default() };
        let mut program = random_program(&mut rng, &options);
        points_to(&mut program);
        let question = resolve(&program, &[PropertyKind::Assert]).expect("nothing to resolve");
        simulate::simulate(seed, &program, &question);
    }
}
