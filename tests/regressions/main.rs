//! The small programs of REDUCTION.md (R1 to R31), each of which some wrong reduction gets wrong:
//! every reduction, in the explorer and in the circuit, must find what the full exploration finds.
//! The wrong variants of transactions and parallel steps are here, too: each must be caught by the
//! program that it is known for, which shows that the comparison can fail.

mod formulas;
mod mutants;
mod programs;

use latchwork::analysis::{Facts, Stops, Transactions};
use latchwork::base::{Budget, Id};
use latchwork::driver::{Loaded, ReductionChoice, check_reduced, explore_question};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::build::EdgeSpec;
use latchwork::program::contention::Item;
use latchwork::program::explore::{ExploreOptions, Moves, StepExplorer};
use latchwork::program::{LocId, Machine, Program, ThreadId};
use latchwork::property::{PropertyKind, Question, TargetKind, resolve};
use latchwork::sched::Reduction;

use programs::{Make, programs};

/// Two atomic exchanges of one variable never see the same old value.
#[test]
fn steps_in_conflict_do_not_move_together() {
    // l = x, x = 1 || l = x, x = 1: moved together both see 0.
    let mut p = Make::new(2);
    for k in 0..2 {
        let (x, one) = (p.b.var(p.x), p.b.value_for(p.x, 1));
        let local = p.locals[k];
        let spec = EdgeSpec::new("exchange").set(local, x).set(p.x, one).atomic_access();
        p.b.next(p.t(k), spec);
    }
    p.check(0, p.x, 1);
    p.end(0);
    let both = p.b.has_value(p.locals[1], 1);
    p.b.assert(p.t(1), both, "T1 comes second");
    p.end(1);
    let program = p.finish();
    let (_, question) = question(&program);
    let full = explored(&program, &question, Reduction::None);
    for reduction in Reduction::ALL {
        assert_eq!(explored(&program, &question, reduction), full, "{reduction}");
    }
}

/// `assert` and, for the programs that have it, a look at all valuations.
fn question(program: &Program) -> (Vec<PropertyKind>, Question) {
    let both = "!(x == 1 && y == 0)";
    let properties = vec![PropertyKind::Assert, PropertyKind::Invariant(both.into())];
    let question = resolve(program, &properties).expect("x and y are variables");
    (properties, question)
}

fn explored(program: &Program, question: &Question, reduction: Reduction) -> Vec<bool> {
    let options = ExploreOptions::default();
    let found = explore_question(program, question, reduction, &options, &Budget::unlimited())
        .expect("explored");
    let mut runs = found.invariants.iter();
    let violated = |t: &latchwork::property::Target| match &t.kind {
        TargetKind::Sites(sites) => sites.iter().any(|s| found.sites[*s].is_some()),
        TargetKind::Invariant(_)
        | TargetKind::Race(_)
        | TargetKind::Leak(_)
        | TargetKind::Local(..) => runs.next().expect("one for each").is_some(),
        TargetKind::Deadlock => found.deadlock.is_some(),
        TargetKind::Ltl(_) => unreachable!("not asked"),
    };
    question.targets.iter().map(violated).collect()
}

#[test]
fn every_reduction_is_exact_on_the_known_programs() {
    for (name, program) in programs() {
        let (properties, question) = question(&program);
        let expected = explored(&program, &question, Reduction::None);
        for reduction in Reduction::ALL {
            let found = explored(&program, &question, reduction);
            assert_eq!(found, expected, "{name}: the explorer under {reduction}");
            let engine =
                Bmc(BmcOptions { max_depth: Some(20), exhaustive: true, ..BmcOptions::default() });
            let loaded = Loaded { program: program.clone(), warnings: vec![] };
            let choice = ReductionChoice::Fixed(reduction);
            let budget = Budget::unlimited();
            let report = check_reduced(loaded, &properties, choice, &engine, &mut Silent, &budget)
                .unwrap_or_else(|e| panic!("{name} under {reduction}: {e}"));
            let violations = || report.properties.iter().flat_map(|p| &p.violations);
            let found: Vec<bool> = question
                .targets
                .iter()
                .map(|t| violations().any(|v| v.target.span == t.span && v.target.text == t.text))
                .collect();
            assert_eq!(found, expected, "{name}: the circuit under {reduction}");
        }
    }
}

/// The violated sites when steps end at `boundary` only.
fn with_boundaries(
    program: &Program,
    moves: Moves,
    boundary: &dyn Fn(ThreadId, LocId) -> bool,
) -> Vec<bool> {
    let machine = Machine::new(program);
    let found =
        StepExplorer::new(&machine, boundary, moves).run(&Budget::unlimited()).expect("explored");
    found.sites.iter().map(Option::is_some).collect()
}

fn program(name: &str) -> Program {
    programs().into_iter().find(|p| p.0 == name).expect("a known name").1
}

/// Those for assertions.
fn transactions(program: &Program) -> Transactions {
    stopping(program, &[], Stops::default())
}

fn stopping(program: &Program, raced: &[Item], stops: Stops) -> Transactions {
    let (_, question) = question(program);
    let budget = Budget::unlimited();
    let facts = Facts::new(program, &[], raced, &budget).expect("no limit");
    let observed = question.observed_locs(program);
    Transactions::new(program, &facts, &observed, stops, &budget).expect("no limit")
}

/// Each wrong set of boundaries loses the error of its program, the right one does not.
#[test]
fn wrong_transactions_are_caught() {
    // R2: T1 would wait in the middle of a step that has seen x already. R3: T0 would not let T1 in
    // between y = 1 and its load. R14, R15: T0 would go round a loop, or wait, behind its store.
    for (name, thread) in [("R3", 0), ("R15", 0)] {
        let program = program(name);
        let right = transactions(&program);
        let full = with_boundaries(&program, Moves::Single, &|_, _| true);
        let exact = with_boundaries(&program, Moves::Single, &|t, l| right.is_boundary(t, l));
        assert_eq!(exact, full, "{name}");
        assert!(full.contains(&true), "{name} has an error");
        let wrong = with_boundaries(&program, Moves::Single, &|t, l| {
            t.index() != thread && right.is_boundary(t, l)
        });
        assert_ne!(wrong, full, "{name}: a boundary was left out and nobody noticed");
    }
}
