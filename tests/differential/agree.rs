//! A program under a reduction: the explorer without reduction (the reference), the explorer under
//! the reduction, and bounded model checking on the circuit under it, site by site and invariant
//! by invariant; every violation of the circuit is replayed on the way.

use latchwork::base::Budget;
use latchwork::driver::{Loaded, ReductionChoice, check_reduced, explore_question};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::explore::{Exploration, ExploreOptions};
use latchwork::property::TargetKind;
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
        let Some(full) = self.explored(Reduction::None, STATES) else { return };
        let expected = self.answers(&full);
        // A frame takes one edge or more, so no state is deeper than this.
        let max_depth = full.depth + 1;
        self.circuit(Reduction::None, max_depth, &expected, tally);
        if full.states <= REDUCED_STATES && full.depth <= REDUCED_DEPTH {
            if let Some(found) = self.explored(reduction, REDUCED_STATES) {
                self.same("the explorer", reduction, &expected, &self.answers(&found));
            }
            self.circuit(reduction, max_depth, &expected, tally);
            tally.reduced += 1;
        }
        let violated = expected.iter().filter(|&&v| v).count() as u64;
        tally.violated += violated;
        tally.clean += expected.len() as u64 - violated;
        tally.programs += 1;
    }

    fn explored(&self, reduction: Reduction, states: usize) -> Option<Exploration> {
        let options = ExploreOptions { max_states: Some(states), ..ExploreOptions::default() };
        let budget = Budget::unlimited();
        let found = explore_question(&self.program, &self.question, reduction, &options, &budget)
            .unwrap_or_else(|e| panic!("{reduction}: {e}\n{}", self.name));
        found.incomplete.is_none().then_some(found)
    }

    /// Whether each target is violated.
    fn answers(&self, found: &Exploration) -> Vec<bool> {
        let mut runs = found.invariants.iter();
        let targets = self.question.targets.iter();
        targets
            .map(|t| match &t.kind {
                TargetKind::Sites(sites) => sites.iter().any(|s| found.sites[*s].is_some()),
                TargetKind::Invariant(_) => runs.next().expect("one run for each").is_some(),
            })
            .collect()
    }

    fn same(&self, who: &str, reduction: Reduction, expected: &[bool], found: &[bool]) {
        for ((target, expected), found) in self.question.targets.iter().zip(expected).zip(found) {
            assert_eq!(
                found,
                expected,
                "{who} under {reduction}: {} {}: the full exploration says {expected}, this \
                 {found}\n{}",
                target.property.name(),
                target.text,
                self.name
            );
        }
    }

    /// Compares the answers of bounded model checking on the circuit.
    fn circuit(
        &self,
        reduction: Reduction,
        max_depth: usize,
        expected: &[bool],
        tally: &mut Tally,
    ) {
        let engine = Bmc(BmcOptions {
            max_depth: Some(max_depth),
            exhaustive: true,
            ..BmcOptions::default()
        });
        let loaded = Loaded { program: self.program.clone(), warnings: vec![] };
        let (choice, budget) = (ReductionChoice::Fixed(reduction), Budget::unlimited());
        let report = check_reduced(loaded, &self.properties, choice, &engine, &mut Silent, &budget)
            .unwrap_or_else(|e| panic!("{reduction}: {e}\n{}", self.name));
        let mut answers = vec![];
        for (target, expected) in self.question.targets.iter().zip(expected) {
            let reported = report.properties.iter().find(|p| p.property == target.property);
            answers.push(reported.is_some_and(|p| {
                p.violations
                    .iter()
                    .any(|v| v.target.span == target.span && v.target.text == target.text)
            }));
            let proof = reported.is_some_and(|p| {
                matches!(p.verdict, PropertyVerdict::Safe(Evidence::Complete { audited: true, .. }))
            });
            assert!(
                !(proof && *expected),
                "{reduction}: SAFE of a violated property\n{}",
                self.name
            );
            tally.proofs += u64::from(proof);
        }
        self.same("the circuit", reduction, expected, &answers);
    }
}
