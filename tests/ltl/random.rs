//! Random programs and formulas: the explorer without and with stubborn sets, and the circuit
//! without or with them, by turns.

use latchwork::analysis::points_to;
use latchwork::base::{Budget, Cancel, Rng};
use latchwork::driver::{
    DriverError, Loaded, ReductionChoice, check_reduced, explore_ltl, keeps_formula,
};
use latchwork::engine::Silent;
use latchwork::engine::ic3::Ic3;
use latchwork::program::explore::ExploreOptions;
use latchwork::program::random::{
    DisciplineOptions, RandomOptions, random_disciplined, random_program,
};
use latchwork::program::{LocId, LocKind, Program, Role, Scope, print, validate};
use latchwork::property::{Fairness, PropertyKind, TargetKind, resolve};
use latchwork::report::PropertyVerdict;
use latchwork::sched::Reduction;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Those for formulas.
const SETS: [Reduction; 2] = [Reduction::Stubborn, Reduction::LockPatterns];

/// Formulas over the conditions p, q and r.
const PATTERNS: [&str; 26] = [
    "F p",
    "G F p",
    "F G p",
    "p U q",
    "p W q",
    "p R q",
    "G (p -> F q)",
    "G (p -> q U r)",
    "G (p -> G q)",
    "G (p -> q W r)",
    "F (p && F q)",
    "F (p && G q)",
    "G F p -> G F q",
    "G F p && G F q",
    "F G p || G F q",
    "!(p U q)",
    "(p U q) U r",
    "p U (q R r)",
    "F p -> !q U p",
    "G (p <-> F q)",
    "F p <-> F q",
    "p -> F (q || G r)",
    "(F p -> G q) || r",
    "X p",
    "G (p -> X q)",
    "X (p U X q)",
];

/// A small random program with a label in each thread.
fn random_case(rng: &mut Rng) -> Program {
    let mut program = if rng.one_in(2) {
        let options = RandomOptions {
            threads: 1 + rng.below(3),
            statements: 2 + rng.below(4),
            shared: 2,
            width: 2,
            ..RandomOptions::default()
        };
        random_program(rng, &options)
    } else {
        let options = DisciplineOptions {
            workers: 2,
            statements: 1 + rng.below(3),
            slips: *rng.pick(&[0, 3]),
            ..DisciplineOptions::default()
        };
        random_disciplined(rng, &options)
    };
    points_to(&mut program);
    for t in program.threads.ids() {
        let running: Vec<LocId> = program.threads[t]
            .locations
            .iter_enumerated()
            .filter(|(_, l)| l.kind == LocKind::Running)
            .map(|(id, _)| id)
            .collect();
        let loc = *rng.pick(&running);
        program.threads[t].locations[loc].labels.push("f:here".into());
    }
    program
}

/// A random condition.
fn condition(rng: &mut Rng, program: &Program) -> String {
    let thread = &program.threads.iter().nth(rng.below(program.threads.len())).unwrap().name;
    match rng.below(12) {
        0 | 1 => format!("ended({thread})"),
        2 | 3 => format!("{thread}@here"),
        4 => format!("enabled({thread})"),
        _ => {
            let wanted = |v: &&latchwork::program::Variable| match v.role {
                Role::Data | Role::MutexOwner => true,
                _ => v.scope == Scope::Shared,
            };
            let vars: Vec<_> = program.vars.iter().filter(wanted).collect();
            let v = rng.pick(&vars);
            let (op, value) = (*rng.pick(&["==", "!=", "<", ">="]), rng.below(3));
            format!("{} {op} {value}", v.name)
        }
    }
}

fn formula(rng: &mut Rng, program: &Program) -> PropertyKind {
    let [p, q, r] = [0; 3].map(|_| condition(rng, program));
    let mut text = String::new();
    for c in rng.pick(&PATTERNS).chars() {
        match c {
            'p' => text += &format!("({p})"),
            'q' => text += &format!("({q})"),
            'r' => text += &format!("({r})"),
            _ => text.push(c),
        }
    }
    let fairness = match rng.below(5) {
        0 | 1 => Fairness::None,
        2 | 3 => Fairness::Threads,
        _ => Fairness::Locks,
    };
    PropertyKind::Ltl(fairness, text)
}

/// Numbers of compared formulas.
#[derive(Default)]
struct Tally {
    programs: u64,
    holds: u64,
    violated: u64,
    undecided: u64,
    /// Formulas that stubborn sets keep.
    reduced: u64,
}

/// A random program, random formulas, and what the explorer says about them, without sets and with
/// them.
struct Case {
    program: Program,
    properties: Vec<PropertyKind>,
    /// Which hold.
    expected: Vec<(PropertyKind, bool)>,
}

/// None if the program is too large, or its atomic sections may not end.
fn explore(seed: u64, formulas: usize, tally: &mut Tally) -> Option<Case> {
    let mut rng = Rng::new(seed);
    let program = random_case(&mut rng);
    validate(&program).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let properties: Vec<_> = (0..formulas).map(|_| formula(&mut rng, &program)).collect();
    let question = resolve(&program, &properties).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let options = ExploreOptions { max_states: Some(600), ..ExploreOptions::default() };
    let mut expected = vec![];
    for target in &question.targets {
        let TargetKind::Ltl(ltl) = &target.kind else { continue };
        let explored = |r: Reduction| explore_ltl(&program, ltl, r, &options, &Budget::unlimited());
        let lasso = explored(Reduction::None).ok()?.ok()?;
        for reduction in SETS {
            if keeps_formula(reduction, &program, ltl).is_ok() {
                let found = explored(reduction).expect("explored before").expect("fewer states");
                let (holds, name) = (found.is_none(), target.property.name());
                let text = || print(&program);
                let says = lasso.is_none();
                assert_eq!(holds, says, "seed {seed}: {name}: explorer, {reduction}\n{}", text());
                tally.reduced += 1;
            }
        }
        expected.push((target.property.clone(), lasso.is_none()));
    }
    Some(Case { program, properties, expected })
}

fn compare(seed: u64, tally: &mut Tally) {
    let Some(Case { program, properties, expected }) = explore(seed, 2, tally) else { return };
    let text = print(&program);
    let loaded = Loaded { program, warnings: vec![] };
    let engine = Ic3::default();
    let limit = std::time::Duration::from_secs(20);
    let budget = Budget::new(Some(limit), None, Cancel::new());
    let choice = ReductionChoice::Fixed([Reduction::None, SETS[0], SETS[1]][seed as usize % 3]);
    let report = match check_reduced(loaded, &properties, choice, &engine, &mut Silent, &budget) {
        Ok(report) => report,
        // The first formula took all the time; too many of these fail below.
        Err(DriverError::Stopped(_)) => return,
        Err(e) => panic!("seed {seed}: {e}\n{properties:?}\n{text}"),
    };
    tally.programs += 1;
    for (property, holds) in expected {
        let found = report.properties.iter().find(|p| p.property == property);
        let found = match found.map(|p| &p.verdict) {
            Some(PropertyVerdict::Safe(_)) => true,
            Some(PropertyVerdict::Unsafe) => false,
            _ => {
                tally.undecided += 1;
                continue;
            }
        };
        assert_eq!(
            found,
            holds,
            "seed {seed}: {}: the explorer says {holds}, the circuit {found}, {choice:?}\n{text}",
            property.name()
        );
        *(if holds { &mut tally.holds } else { &mut tally.violated }) += 1;
    }
}

#[test]
fn stubborn_sets_lose_no_violation() {
    let rounds = 4 * number("LATCHWORK_FUZZ", 60);
    let first = number("LATCHWORK_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + rounds {
        if let Some(case) = explore(seed, 4, &mut tally) {
            tally.programs += 1;
            for (_, holds) in case.expected {
                *(if holds { &mut tally.holds } else { &mut tally.violated }) += 1;
            }
        }
    }
    println!(
        "{} of {rounds} programs: {} formulas hold, {} are violated; {} times under sets",
        tally.programs, tally.holds, tally.violated, tally.reduced
    );
    assert!(tally.reduced > 2 * tally.programs, "sets must keep many");
    assert!(tally.programs * 2 > rounds, "most programs must be small enough");
    assert!(tally.holds.min(tally.violated) > tally.programs, "both must occur");
}

#[test]
fn explorer_and_circuit_agree() {
    let rounds = number("LATCHWORK_FUZZ", 60);
    let first = number("LATCHWORK_SEED", 0);
    let mut tally = Tally::default();
    (first..first + rounds).for_each(|seed| compare(seed, &mut tally));
    println!(
        "{} of {rounds} programs: {} formulas hold, {} are violated, {} undecided; {} times reduced",
        tally.programs, tally.holds, tally.violated, tally.undecided, tally.reduced
    );
    assert!(tally.reduced > tally.programs, "stubborn sets must keep many");
    assert!(tally.programs * 2 > rounds, "most programs must be small enough");
    assert!(2 * tally.holds.min(tally.violated) > tally.programs, "both must occur");
    assert!(tally.undecided * 5 < tally.holds + tally.violated, "most must be decided");
}
