//! `explore`: the explicit-state reference on a C program.

use crate::analysis::{Facts, Transactions};
use crate::base::Budget;
use crate::outcome::{Schedule, ScheduleStep};
use crate::program::explore::{
    Exploration, ExploreError, ExploreOptions, Explorer, Moves, Run, StepExplorer,
};
use crate::program::{LocId, Machine, Program, State, ThreadId};
use crate::property::{Invariant, Question, TargetKind, resolve};
use crate::report::{CheckReport, Evidence, ExplorationCounts, Statistics, Violation};
use crate::sched::Reduction;
use crate::witness::{ReplayOptions, holds, replay};

use super::check::{CheckOptions, Outcome, report};
use super::error::DriverError;
use super::frontend::{Loaded, load};
use super::reduction::ReductionChoice;

/// Enumerates the program's states and answers the same properties as `check`.
///
/// # Errors
/// If the input is refused, a choice of the program has too many values, or an internal check
/// fails.
pub fn explore_program(
    options: &CheckOptions,
    explore: &ExploreOptions,
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let Loaded { program, warnings } = load(&options.program)?;
    let question = resolve(&program, &options.properties)?;
    let reduction = match options.reduction {
        ReductionChoice::Auto => Reduction::None,
        fixed => fixed.resolve(&question, "explore")?,
    };
    let found = explore_question(&program, &question, reduction, explore, budget)?;
    let mut outcomes = vec![];
    let mut runs = found.invariants.iter();
    for (k, target) in question.targets.iter().enumerate() {
        let run = match &target.kind {
            TargetKind::Invariant(_) => runs.next().expect("one run for each").as_ref(),
            TargetKind::Sites(sites) => {
                let all = sites.iter().filter_map(|&s| found.sites[s].as_ref());
                all.min_by_key(|run| run.len())
            }
        };
        outcomes.push(Some(match (run, &found.incomplete) {
            (Some(run), _) => Outcome::Unsafe(Box::new(violation(&program, &question, k, run)?)),
            (None, None) => Outcome::Safe(Evidence::Explored { states: found.states }),
            (None, Some(why)) => Outcome::Open(why.to_string()),
        }));
    }
    let properties = report(&program, &question, outcomes);
    let statistics = Statistics::of(&program);
    let counts = ExplorationCounts {
        states: found.states,
        transitions: found.transitions,
        depth: found.depth,
        ended: found.terminals.ended,
        deadlocked: found.terminals.deadlock,
        discarded: found.terminals.discarded,
        stopped: found.terminals.stopped,
    };
    let elapsed = budget.elapsed();
    Ok(CheckReport {
        program,
        warnings,
        properties,
        statistics,
        exploration: Some(counts),
        proofs: vec![],
        engine: "explore",
        members: vec![],
        reduction,
        elapsed,
    })
}

/// Enumerates the states that a reduction leaves. `explore.visited` and `explore.local_merge` are
/// for [`Reduction::None`] only.
///
/// # Errors
/// If a choice of the program has too many values, or an internal check fails.
pub fn explore_question(
    program: &Program,
    question: &Question,
    reduction: Reduction,
    explore: &ExploreOptions,
    budget: &Budget,
) -> Result<Exploration, DriverError> {
    let machine = Machine::new(program);
    let invariants: Vec<&Invariant> = question.invariants().collect();
    let checks: Vec<_> =
        invariants.iter().map(|i| |state: &State| visible_holds(program, i, state)).collect();
    let moves = match reduction {
        Reduction::None => {
            let mut explorer = Explorer::new(&machine, explore.clone());
            for check in &checks {
                explorer = explorer.invariant(check);
            }
            return explorer.run(budget).map_err(explore_error);
        }
        Reduction::Transactions => Moves::Single,
        Reduction::Parallel => Moves::Parallel,
        Reduction::Foata | Reduction::ParallelTransactions => Moves::Foata,
    };
    let transactions = match reduction.has_transactions() {
        true => {
            let facts = Facts::new(program, &question.observed_vars(), budget)?;
            let observed = question.observed_locs(program);
            Some(Transactions::new(program, &facts, &observed, budget)?)
        }
        false => None,
    };
    let boundary = |t: ThreadId, loc: LocId| {
        transactions.as_ref().is_none_or(|found| found.is_boundary(t, loc))
    };
    let mut explorer = StepExplorer::new(&machine, &boundary, moves).max_states(explore.max_states);
    for check in &checks {
        explorer = explorer.invariant(check);
    }
    explorer.run(budget).map_err(explore_error)
}

fn explore_error(e: ExploreError) -> DriverError {
    match e {
        ExploreError::InputTooWide { .. } => DriverError::File(format!(
            "{e}: explore is for programs with small choices, use check for this one"
        )),
        ExploreError::Internal(e) => DriverError::Internal(e.to_string()),
    }
}

/// Whether the invariant holds, or cannot be looked at because a thread is inside an atomic
/// section.
pub fn visible_holds(program: &Program, invariant: &Invariant, state: &State) -> bool {
    let inside = program.threads.iter_enumerated().any(|(t, x)| x.locations[state.loc(t)].atomic);
    inside || holds(invariant, state)
}

fn violation(
    program: &Program,
    question: &Question,
    target: usize,
    run: &Run,
) -> Result<Violation, DriverError> {
    let steps = run
        .iter()
        .map(|s| ScheduleStep { thread: s.thread, inputs: s.inputs.clone(), until: s.until })
        .collect();
    let mut schedule = Schedule { steps, site: None };
    let target = question.targets[target].clone();
    let replay = replay(program, &schedule, &target, ReplayOptions::default())
        .map_err(|e| DriverError::Internal(format!("the explorer's run does not replay: {e}")))?;
    if matches!(target.kind, TargetKind::Sites(_)) {
        schedule.site = replay.edges.last().and_then(|e| e.site);
    }
    Ok(Violation { target, schedule, replay, witness: None })
}
