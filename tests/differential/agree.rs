//! A program under a reduction: the explorer without reduction (the reference), the explorer under
//! the reduction, and bounded model checking on the circuit under it, site by site and invariant
//! by invariant; every violation of the circuit is replayed on the way.

use std::collections::BTreeMap;

use latchwork::base::Budget;
use latchwork::driver::{
    CheckOptions, DriverError, Loaded, ReductionChoice, check_loaded, explore_question, keeps,
};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::explore::{Exploration, ExploreOptions};
use latchwork::property::{PropertyKind, Question, Target, TargetKind, resolve};
use latchwork::report::{Evidence, PropertyVerdict};
use latchwork::sched::Reduction;

use crate::case::Case;

/// Numbers of compared things.
#[derive(Debug, Default)]
pub struct Tally {
    pub programs: u64,
    /// Targets that are violated.
    pub violated: u64,
    pub clean: u64,
    /// Audited proofs of circuits.
    pub proofs: u64,
    /// Programs under a reduction.
    pub reduced: u64,
    /// By property, how many targets are not violated, and how many are.
    pub by_property: BTreeMap<String, [u64; 2]>,
}

/// Programs of at most so many states are compared without reduction.
const STATES: usize = 20_000;
/// And programs of at most so many under a reduction.
const REDUCED_STATES: usize = 2_500;
/// Depth of the exploration up to which programs are compared under a reduction.
const REDUCED_DEPTH: usize = 40;

impl Case {
    /// Compares all without reduction, and under the given one if the program is small.
    pub fn compare(&self, reduction: Reduction, tally: &mut Tally) {
        let all = Asked { case: self, reduction: Reduction::None, question: &self.question };
        let Some(full) = all.explored(STATES) else { return };
        let expected = answers(&self.question, &full);
        // A frame takes one edge or more, so no state is deeper than this.
        let max_depth = full.depth + 1;
        all.circuit(max_depth, &expected, tally);
        if full.states <= REDUCED_STATES && full.depth <= REDUCED_DEPTH {
            let mut kept = self.properties.clone();
            kept.retain(|p| keeps(reduction, p));
            let question = resolve(&self.program, &kept).expect("as before");
            let asked = Asked { case: self, reduction, question: &question };
            let expected = asked.among(&self.question, &expected);
            if let Some(found) = asked.explored(REDUCED_STATES) {
                asked.same("the explorer", &expected, &answers(asked.question, &found));
            }
            asked.circuit(max_depth, &expected, tally);
            tally.reduced += 1;
        }
        for (target, &violated) in self.question.targets.iter().zip(&expected) {
            let name = match &target.property {
                PropertyKind::Invariant(_) => "invariant".to_string(),
                other => other.name(),
            };
            tally.by_property.entry(name).or_default()[usize::from(violated)] += 1;
        }
        let violated = expected.iter().filter(|&&v| v).count() as u64;
        tally.violated += violated;
        tally.clean += expected.len() as u64 - violated;
        tally.programs += 1;
    }
}

/// A program and what a reduction keeps of what is asked.
struct Asked<'a> {
    case: &'a Case,
    reduction: Reduction,
    question: &'a Question,
}

impl Asked<'_> {
    /// Of the answers to more, those to this. A site may be of another property where less is
    /// asked.
    fn among(&self, more: &Question, answers: &[bool]) -> Vec<bool> {
        let answer = |target: &Target| {
            let same = |t: &Target| {
                let property = target.span.is_some() || t.property == target.property;
                property && t.span == target.span && t.text == target.text
            };
            answers[more.targets.iter().position(same).expect("more is asked")]
        };
        self.question.targets.iter().map(answer).collect()
    }

    fn explored(&self, states: usize) -> Option<Exploration> {
        let options = ExploreOptions { max_states: Some(states), ..ExploreOptions::default() };
        let (budget, program) = (Budget::unlimited(), &self.case.program);
        match explore_question(program, self.question, self.reduction, &options, &budget) {
            Ok(found) => found.incomplete.is_none().then_some(found),
            // Too many choices at once.
            Err(DriverError::File(_)) => None,
            Err(e) => panic!("{}: {e}\n{}", self.reduction, self.case.name),
        }
    }

    fn same(&self, who: &str, expected: &[bool], found: &[bool]) {
        for ((target, expected), found) in self.question.targets.iter().zip(expected).zip(found) {
            assert_eq!(
                found,
                expected,
                "{who} under {}: {} {}: the full exploration says {expected}, this {found}\n{}",
                self.reduction,
                target.property.name(),
                target.text,
                self.case.name
            );
        }
    }

    /// Compares the answers of bounded model checking on the circuit.
    fn circuit(&self, max_depth: usize, expected: &[bool], tally: &mut Tally) {
        let engine = Bmc(BmcOptions {
            max_depth: Some(max_depth),
            exhaustive: true,
            ..BmcOptions::default()
        });
        let Self { case, reduction, question } = self;
        let loaded = Loaded { program: case.program.clone(), warnings: vec![] };
        let asked: Vec<_> =
            question.properties.iter().filter(|p| !p.is_implicit()).cloned().collect();
        let options = CheckOptions {
            properties: asked,
            reduction: ReductionChoice::Fixed(*reduction),
            // As usual, or any number of sets.
            lock_sets: Some(max_depth % 9).filter(|&k| k > 0 && reduction.is_stubborn()),
            ..CheckOptions::default()
        };
        let budget = Budget::unlimited();
        let report = check_loaded(loaded, &options, &engine, &mut Silent, &budget)
            .unwrap_or_else(|e| panic!("{reduction}: {e}\n{}", case.name));
        let mut answers = vec![];
        for (target, expected) in question.targets.iter().zip(expected) {
            let reported = report.properties.iter().find(|p| p.property == target.property);
            answers.push(reported.is_some_and(|p| {
                p.violations
                    .iter()
                    .any(|v| v.target.span == target.span && v.target.text == target.text)
            }));
            let proof = reported.is_some_and(|p| {
                matches!(p.verdict, PropertyVerdict::Safe(Evidence::Complete { audited: true, .. }))
            });
            assert!(!(proof && *expected), "{reduction}: SAFE of a violated one\n{}", case.name);
            tally.proofs += u64::from(proof);
        }
        self.same("the circuit", expected, &answers);
    }
}

/// Whether each target is violated, by what the explorer found.
pub fn answers(question: &Question, found: &Exploration) -> Vec<bool> {
    let mut runs = found.invariants.iter();
    let targets = question.targets.iter();
    targets
        .map(|t| match &t.kind {
            TargetKind::Sites(sites) => sites.iter().any(|s| found.sites[*s].is_some()),
            TargetKind::Invariant(_)
            | TargetKind::Race(_)
            | TargetKind::Leak(_)
            | TargetKind::Local(..) => runs.next().expect("one run for each").is_some(),
            TargetKind::Deadlock => found.deadlock.is_some(),
            TargetKind::Ltl(_) => unreachable!("not asked"),
        })
        .collect()
}
