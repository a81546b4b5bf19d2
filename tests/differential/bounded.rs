//! A program under a bound on switches of threads: the explorer and bounded model checking on the
//! circuit find the same, and nothing that the full exploration does not find.

use latchwork::base::{Budget, Rng};
use latchwork::driver::{CheckOptions, Loaded, check_loaded, explore_question};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::explore::ExploreOptions;
use latchwork::report::PropertyVerdict;
use latchwork::sched::Reduction;

use crate::agree::answers;
use crate::case::Case;

/// Numbers of compared things.
#[derive(Debug, Default)]
pub struct Tally {
    pub programs: u64,
    /// Targets that are violated within the bound.
    pub violated: u64,
    /// Targets that are violated with more switches only.
    pub missed: u64,
}

/// Compares one program, if it is small enough.
pub fn compare(seed: u64, case: &Case, tally: &mut Tally) {
    let Case { program, properties, question, name } = case;
    let bound = Rng::new(seed).below(4) as u32;
    let budget = Budget::unlimited();
    let explore = |context_bound| {
        let max_states = Some(2_500);
        let options = ExploreOptions { max_states, context_bound, ..ExploreOptions::default() };
        explore_question(program, question, Reduction::None, &options, &budget).expect("explored")
    };
    let (full, found) = (explore(None), explore(Some(bound)));
    if full.incomplete.is_some() || found.incomplete.is_some() || found.depth > 26 {
        return;
    }
    let (all, expected) = (answers(question, &full), answers(question, &found));
    assert!(expected.iter().zip(&all).all(|(bounded, full)| *full || !bounded), "{name}");
    let max_depth = Some(found.depth + 1);
    let engine = Bmc(BmcOptions { max_depth, exhaustive: true, ..BmcOptions::default() });
    let loaded = Loaded { program: program.clone(), warnings: vec![] };
    let options = CheckOptions {
        properties: properties.clone(),
        context_bound: Some(bound),
        ..CheckOptions::default()
    };
    let report = check_loaded(loaded, &options, &engine, &mut Silent, &budget)
        .unwrap_or_else(|e| panic!("{e}\n{name}"));
    for (target, expected) in question.targets.iter().zip(&expected) {
        let reports = report.properties.iter().filter(|p| p.property == target.property);
        let found = reports
            .flat_map(|p| &p.violations)
            .any(|v| v.target.span == target.span && v.target.text == target.text);
        let what = target.property.name();
        assert_eq!(found, *expected, "{what} with bound {bound}\n{name}");
        tally.violated += u64::from(found);
    }
    let proof =
        |v: &PropertyVerdict| matches!(v, PropertyVerdict::Safe(e) if e.audited().is_some());
    assert!(!report.properties.iter().any(|p| proof(&p.verdict)), "a bound proves nothing\n{name}");
    tally.missed +=
        all.iter().zip(&expected).filter(|(full, bounded)| **full && !**bounded).count() as u64;
    tally.programs += 1;
}
