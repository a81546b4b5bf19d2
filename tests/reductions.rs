//! Random thread programs under every reduction: the explorer without reduction (the reference),
//! the explorer under the reduction, and bounded model checking on the circuit under it, site by
//! site and invariant by invariant; every violation of the circuit is replayed on the way.
//!
//! `LATCHWORK_FUZZ=N` runs N programs in place of the few of a normal test, beginning with seed
//! `LATCHWORK_SEED`. A failure prints the program's seed and its text.

use latchwork::analysis::points_to;
use latchwork::base::{Budget, Rng};
use latchwork::driver::{Loaded, ReductionChoice, check_reduced, explore_question};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::explore::{Exploration, ExploreOptions};
use latchwork::program::random::{
    DisciplineOptions, RandomOptions, random_disciplined, random_program,
};
use latchwork::program::{Program, Scope, print, validate};
use latchwork::property::{PropertyKind, Question, TargetKind, resolve};
use latchwork::report::{Evidence, PropertyVerdict};
use latchwork::sched::Reduction;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A random program and what is asked of it: its sites, and for some an invariant.
fn random_case(seed: u64) -> (Program, Vec<PropertyKind>) {
    let mut rng = Rng::new(seed);
    let mut program = if rng.one_in(3) {
        let options = RandomOptions {
            threads: 2 + rng.below(3),
            statements: 4 + rng.below(6),
            loops: rng.one_in(2),
            arrays: rng.one_in(2),
            ..RandomOptions::default()
        };
        random_program(&mut rng, &options)
    } else {
        let options = DisciplineOptions {
            statements: 2 + rng.below(5),
            slips: *rng.pick(&[0, 4, 12]),
            trylocks: rng.one_in(2),
            free_loops: rng.one_in(2),
            ..DisciplineOptions::default()
        };
        random_disciplined(&mut rng, &options)
    };
    points_to(&mut program);
    let mut properties = vec![PropertyKind::Assert];
    let shared: Vec<_> = program.vars.iter().filter(|v| v.scope == Scope::Shared).collect();
    if rng.one_in(4) && !shared.is_empty() {
        let (a, b) = (rng.pick(&shared), rng.pick(&shared));
        let e = format!("{} <= {} + {}", a.name, b.name, rng.below(3));
        properties.push(PropertyKind::Invariant(e));
    }
    (program, properties)
}

/// Whether each target is violated; `None` if there are too many states.
fn explored(program: &Program, question: &Question, reduction: Reduction) -> Option<Exploration> {
    let options = ExploreOptions { max_states: Some(2_500), ..ExploreOptions::default() };
    let budget = Budget::unlimited();
    let found = explore_question(program, question, reduction, &options, &budget)
        .expect("random programs can be explored");
    found.incomplete.is_none().then_some(found)
}

fn answers(question: &Question, found: &Exploration) -> Vec<bool> {
    let mut runs = found.invariants.iter();
    let targets = question.targets.iter();
    targets
        .map(|t| match &t.kind {
            TargetKind::Sites(sites) => sites.iter().any(|s| found.sites[*s].is_some()),
            TargetKind::Invariant(_) => runs.next().expect("one run for each").is_some(),
        })
        .collect()
}

/// Numbers of compared things.
#[derive(Default)]
struct Tally {
    programs: u64,
    violated: u64,
    clean: u64,
    complete: u64,
    explored: u64,
}

struct Case<'a> {
    seed: u64,
    program: &'a Program,
    properties: &'a [PropertyKind],
    question: &'a Question,
    text: &'a str,
}

impl Case<'_> {
    fn compare(&self, who: &str, reduction: Reduction, expected: &[bool], found: &[bool]) {
        for ((target, expected), found) in self.question.targets.iter().zip(expected).zip(found) {
            assert_eq!(
                found,
                expected,
                "seed {}, {who} under {reduction}: {} {}: the full exploration says {expected}, \
                 this {found}\n{}",
                self.seed,
                target.property.name(),
                target.text,
                self.text
            );
        }
    }

    /// The circuit's answers, and how many of them are audited proofs.
    fn circuit(&self, reduction: Reduction, max_depth: usize) -> (Vec<bool>, u64) {
        let engine = Bmc(BmcOptions {
            max_depth: Some(max_depth),
            exhaustive: true,
            ..BmcOptions::default()
        });
        let loaded = Loaded { program: self.program.clone(), warnings: vec![] };
        let budget = Budget::unlimited();
        let choice = ReductionChoice::Fixed(reduction);
        let report = check_reduced(loaded, self.properties, choice, &engine, &mut Silent, &budget)
            .unwrap_or_else(|e| panic!("seed {}, {reduction}: {e}\n{}", self.seed, self.text));
        let mut proofs = 0;
        let mut answers = vec![];
        for target in &self.question.targets {
            let reported = report.properties.iter().find(|p| p.property == target.property);
            answers.push(reported.is_some_and(|p| {
                p.violations
                    .iter()
                    .any(|v| v.target.span == target.span && v.target.text == target.text)
            }));
            proofs += u64::from(reported.is_some_and(|p| {
                matches!(p.verdict, PropertyVerdict::Safe(Evidence::Complete { audited: true, .. }))
            }));
        }
        (answers, proofs)
    }
}

/// Compares one program, if it is small enough.
fn compare(seed: u64, tally: &mut Tally) {
    let (program, properties) = random_case(seed);
    validate(&program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let question = resolve(&program, &properties).expect("the invariant is about variables");
    let Some(full) = explored(&program, &question, Reduction::None) else { return };
    if full.depth > 26 {
        return;
    }
    let expected = answers(&question, &full);
    let text = print(&program);
    let case =
        Case { seed, program: &program, properties: &properties, question: &question, text: &text };
    for reduction in Reduction::ALL.into_iter().filter(|&r| r != Reduction::None) {
        if let Some(found) = explored(&program, &question, reduction) {
            case.compare("the explorer", reduction, &expected, &answers(&question, &found));
            tally.explored += 1;
        }
        // A frame takes one edge or more, so no state is deeper than this.
        let (found, proofs) = case.circuit(reduction, full.depth + 1);
        case.compare("the circuit", reduction, &expected, &found);
        tally.complete += proofs;
    }
    tally.violated += expected.iter().filter(|&&v| v).count() as u64;
    tally.clean += expected.iter().filter(|&&v| !v).count() as u64;
    tally.programs += 1;
}

#[test]
fn random_programs_agree_under_every_reduction() {
    let rounds = number("LATCHWORK_FUZZ", 150);
    let first = number("LATCHWORK_SEED", 0);
    let mut tally = Tally::default();
    (first..first + rounds).for_each(|seed| compare(seed, &mut tally));
    println!(
        "{} of {rounds} programs: {} targets violated, {} clean, {} proofs, {} explorations",
        tally.programs, tally.violated, tally.clean, tally.complete, tally.explored
    );
    assert!(tally.programs * 2 > rounds, "most programs must be small enough");
    let least = tally.violated.min(tally.clean).min(5 * tally.complete);
    assert!(least * 5 > rounds, "each kind of answer must occur");
}
