//! `explore`: the explicit-state reference on a C program.

use crate::base::Budget;
use crate::outcome::{Schedule, ScheduleStep};
use crate::program::explore::{ExploreError, ExploreOptions, Explorer, Run};
use crate::program::{Machine, Program, State};
use crate::property::{Invariant, Question, TargetKind, resolve};
use crate::report::{CheckReport, Evidence, ExplorationCounts, Statistics, Violation};
use crate::witness::{ReplayOptions, holds, replay};

use super::check::{CheckOptions, Outcome, report};
use super::error::DriverError;
use super::frontend::{Loaded, load};

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
    let machine = Machine::new(&program);
    let invariants: Vec<&Invariant> = question.invariants().collect();
    let checks: Vec<_> =
        invariants.iter().map(|i| |state: &State| visible_holds(&program, i, state)).collect();
    let mut explorer = Explorer::new(&machine, explore.clone());
    for check in &checks {
        explorer = explorer.invariant(check);
    }
    let found = explorer.run(budget).map_err(|e| match e {
        ExploreError::InputTooWide { .. } => DriverError::File(format!(
            "{e}: explore is for programs with small choices, use check for this one"
        )),
        ExploreError::Internal(e) => DriverError::Internal(e.to_string()),
    })?;
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
    let statistics = Statistics {
        threads: program.threads.len(),
        locations: program.threads.iter().map(|t| t.locations.len()).sum(),
        ..Statistics::default()
    };
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
        elapsed,
    })
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
