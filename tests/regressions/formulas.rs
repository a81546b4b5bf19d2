//! Temporal formulas on the small programs: stubborn sets for runs that go on for ever lose none of
//! those that violate one.

use latchwork::base::Budget;
use latchwork::driver::{Loaded, ReductionChoice, check_reduced, explore_ltl, keeps_formula};
use latchwork::engine::Silent;
use latchwork::engine::ic3::Ic3;
use latchwork::program::Program;
use latchwork::program::explore::ExploreOptions;
use latchwork::property::{Fairness, Ltl, PropertyKind, TargetKind, resolve};
use latchwork::report::PropertyVerdict;
use latchwork::sched::Reduction;

const SETS: [Reduction; 2] = [Reduction::Stubborn, Reduction::LockPatterns];

fn with_formula<T>(program: &Program, property: &PropertyKind, f: impl FnOnce(&Ltl) -> T) -> T {
    let question = resolve(program, std::slice::from_ref(property)).expect("a formula");
    match &question.targets[0].kind {
        TargetKind::Ltl(ltl) => f(ltl),
        _ => panic!("{} is no formula", property.name()),
    }
}

/// Whether some run violates the formula, by the explorer; none if an atomic section may not end.
fn violated(program: &Program, ltl: &Ltl, reduction: Reduction) -> Option<bool> {
    let options = ExploreOptions::default();
    let found = explore_ltl(program, ltl, reduction, &options, &Budget::unlimited()).ok()?;
    Some(found.expect("few states").is_some())
}

#[test]
fn the_explorer_keeps_formulas_under_stubborn_sets() {
    let formulas = [
        "F x == 1",
        "F G x == 0",
        "F x == 1 -> F y == 1",
        "G (y == 1 -> F x == 1)",
        "F ended(T1)",
        "G F m == 0",
    ];
    let (mut compared, mut refused, mut without) = (0, 0, 0);
    for (name, program) in super::programs() {
        for fairness in [Fairness::None, Fairness::Threads] {
            for text in formulas {
                let property = PropertyKind::Ltl(fairness, text.into());
                with_formula(&program, &property, |ltl| {
                    let expected = violated(&program, ltl, Reduction::None);
                    without += usize::from(expected.is_none());
                    for reduction in SETS {
                        if keeps_formula(reduction, &program, ltl).is_err() {
                            refused += 1;
                            continue;
                        }
                        let found = violated(&program, ltl, reduction);
                        assert_eq!(
                            found,
                            expected,
                            "{name}: {} under {reduction}",
                            property.name()
                        );
                        compared += 1;
                    }
                });
            }
        }
    }
    assert!(compared > 10 * refused && refused > 0, "{compared} compared, {refused} refused");
    assert!(compared > 20 * without, "{compared} compared, {without} without answer");
}

/// Each is violated, and holds if one of the rules for such runs is left out: that sets are sticky
/// inside, too (R24); that what is seen is in conflict with all (R28, and the discard); that the
/// end of the process is in conflict with all.
#[test]
fn the_circuit_keeps_formulas_under_stubborn_sets() {
    for (name, text) in [
        ("R24", "F x == 1 -> F y == 1"),
        ("R28", "F x == 1"),
        ("a discard beside a loop", "F G x == 0"),
        ("the end of the process beside a store", "F G x == 0"),
    ] {
        let program = super::program(name);
        let property = PropertyKind::Ltl(Fairness::None, text.into());
        with_formula(&program, &property, |ltl| {
            assert_eq!(violated(&program, ltl, Reduction::None), Some(true), "{name}");
        });
        for reduction in SETS {
            let loaded = Loaded { program: program.clone(), warnings: vec![] };
            let choice = ReductionChoice::Fixed(reduction);
            let (engine, budget) = (Ic3::default(), Budget::unlimited());
            let asked = [property.clone()];
            let report = check_reduced(loaded, &asked, choice, &engine, &mut Silent, &budget)
                .unwrap_or_else(|e| panic!("{name} under {reduction}: {e}"));
            let found = report.properties.iter().find(|p| p.property == property);
            let verdict = &found.expect("it was asked").verdict;
            assert_eq!(*verdict, PropertyVerdict::Unsafe, "{name} under {reduction}");
            assert!(report.circuits.iter().any(|c| c.reduction == reduction), "{name}");
        }
    }
}

/// What is not known to be kept is refused.
#[test]
fn other_formulas_are_refused() {
    let program = super::program("R24");
    let refused = |fairness, text: &str, reduction| {
        let property = PropertyKind::Ltl(fairness, text.into());
        with_formula(&program, &property, |ltl| keeps_formula(reduction, &program, ltl).is_err())
    };
    for reduction in SETS {
        assert!(!refused(Fairness::None, "F x == 1", reduction));
        assert!(!refused(Fairness::Threads, "F x == 1", reduction));
        assert!(refused(Fairness::Locks, "F x == 1", reduction));
        assert!(refused(Fairness::None, "F X x == 1", reduction));
        assert!(refused(Fairness::None, "F !enabled(T1)", reduction));
    }
    let others = Reduction::ALL.into_iter().filter(|r| !SETS.contains(r) && *r != Reduction::None);
    for reduction in others {
        assert!(refused(Fairness::None, "F x == 1", reduction), "{reduction}");
    }
}
