//! Temporal formulas: each on a circuit of its own, by liveness to safety and k-liveness with the
//! engines of a plan.

use crate::analysis::Facts;
use crate::base::Budget;
use crate::engine::Progress;
use crate::engine::liveness::LivenessOptions;
use crate::expr::ExprId;
use crate::ltl::FormulaId;
use crate::outcome::{Lasso, LassoSchedule, LiveVerdict, Schedule, ScheduleStep};
use crate::portfolio::Plan;
use crate::program::explore::{
    ExploreOptions, FairRuns, GraphOptions, Incomplete, LassoError, Run, StateGraph, Stubborn,
};
use crate::program::{Machine, Program, Scope, State, VarId};
use crate::property::{Atom, Fairness, Ltl, Target};
use crate::report::{CircuitReport, Evidence, Violation};
use crate::sched::Reduction;
use crate::witness::{LassoReplay, Replay, ReplayOptions, replay_ltl};

use super::check::{CheckOptions, Outcome, evidence};
use super::circuit::{Circuit, CircuitOptions};
use super::error::DriverError;
use super::explore::{Rules, explore_error};
use super::justice::{Decided, decide};
use super::part::Answers;

/// Decides a formula, the target at this position of the question.
///
/// # Errors
/// If the formula cannot be asked of the program, or an internal check fails: a lasso that does not
/// replay, an answer that the audit refutes.
pub(super) fn check_ltl(
    program: &Program,
    (position, target): (usize, &Target),
    ltl: &Ltl,
    (check, plan): (&CheckOptions, &Plan),
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<Answers, DriverError> {
    let (reduction, reduction_off) = check.reduction.for_formula(program, ltl);
    let lock_sets = check.lock_sets;
    let options = CircuitOptions { reduction, lock_sets, ..CircuitOptions::default() };
    let mut decided = || {
        let circuit = Circuit::live(program, ltl, options, budget)?;
        let options = LivenessOptions::default();
        let Decided { verdict, audited, by } =
            decide(&circuit.reduced, 0, plan, &options, progress, budget)?;
        let outcome = match verdict {
            LiveVerdict::Safe { certificate, .. } => Outcome::Safe(evidence(&certificate, audited)),
            LiveVerdict::Unknown(reason) => Outcome::Unknown(reason),
            LiveVerdict::Unsafe(lasso) => {
                let found = violation(program, target, ltl, &circuit, &lasso, budget)?;
                Outcome::Unsafe(Box::new(found))
            }
        };
        Ok((outcome, Some(by), Some(circuit.statistics())))
    };
    let (outcome, by, statistics) = match decided() {
        Err(DriverError::Stopped(stop)) => (Outcome::Open(stop.to_string()), None, None),
        found => found?,
    };
    let circuit = CircuitReport {
        properties: vec![target.property.clone()],
        reduction,
        reduction_off,
        statistics,
        members: vec![],
        elapsed: budget.elapsed(),
    };
    let outcomes = vec![(position, outcome, by)];
    Ok(Answers { outcomes, proofs: vec![], bads: 0, circuit })
}

/// Lifts a lasso of the circuit and replays it.
pub(super) fn violation(
    program: &Program,
    target: &Target,
    ltl: &Ltl,
    circuit: &Circuit,
    lasso: &Lasso,
    budget: &Budget,
) -> Result<Violation, DriverError> {
    let schedule = circuit.lift_lasso(lasso);
    let replay = judged(program, ltl, &schedule, budget)?;
    Ok(Violation { lasso: Some(lasso.clone()), ..shown(target, schedule, replay) })
}

/// The schedule as the interpreter runs it, if it is a violation.
fn judged(
    program: &Program,
    ltl: &Ltl,
    schedule: &LassoSchedule,
    budget: &Budget,
) -> Result<LassoReplay, DriverError> {
    let facts = Facts::new(program, &ltl.vars(), &[], budget)?;
    let matters = |state: &State, v: VarId| match program.vars[v].scope {
        Scope::Local(t) => facts.live[t].is_live(state.loc(t), v),
        Scope::Shared => facts.slice.has(v),
    };
    replay_ltl(program, schedule, ltl, &matters, ReplayOptions::default())
        .map_err(|e| DriverError::Internal(format!("a run that goes on for ever: {e}")))
}

fn shown(target: &Target, schedule: LassoSchedule, replay: LassoReplay) -> Violation {
    let LassoSchedule { stem, cycle } = schedule;
    let LassoReplay { edges, cycle_start, state } = replay;
    Violation {
        target: target.clone(),
        schedule: Schedule { steps: stem.into_iter().chain(cycle).collect(), site: None },
        replay: Replay { edges, state },
        cycle_start: Some(cycle_start),
        witness: None,
        lasso: None,
    }
}

/// A run that violates the formula, as a stem and a cycle of edges, by enumeration of all states
/// that a reduction leaves, which [keeps](super::keeps_formula) the formula; none if there is none.
///
/// # Errors
/// Why the enumeration was given up; or if the program cannot be explored.
pub fn explore_ltl(
    program: &Program,
    ltl: &Ltl,
    reduction: Reduction,
    explore: &ExploreOptions,
    budget: &Budget,
) -> Result<Result<Option<LassoSchedule>, String>, DriverError> {
    let machine = Machine::new(program);
    let options = GraphOptions { max_states: explore.max_states, input_bits: explore.input_bits };
    let rules = Rules::live(program, ltl, reduction, budget)?;
    let stubborn = rules.as_ref().map(|rules| Stubborn::new(program, rules));
    let graph = StateGraph::build(&machine, &options, stubborn.as_ref(), budget);
    let graph = graph.map_err(explore_error)?;
    if let Some(why) = graph.incomplete {
        return Ok(Err(why.to_string()));
    }
    let mut formulas = ltl.formulas.clone();
    let root: FormulaId = formulas.normal(ltl.root, true);
    let atom = |condition: ExprId, number: usize| {
        let state = graph.state(number);
        ltl.holds(condition, &mut |atom| match atom {
            Atom::Var(v) => state.value(v),
            Atom::At(t, loc) => u128::from(state.loc(t) == loc),
            Atom::Enabled(t) => u128::from(graph.is_enabled(number, t)),
        })
    };
    let fair = FairRuns {
        threads: ltl.fairness != Fairness::None,
        locks: ltl.fairness == Fairness::Locks,
    };
    let steps = |run: Run| -> Vec<ScheduleStep> {
        let step = |s: crate::program::explore::RunStep| ScheduleStep {
            thread: s.thread,
            inputs: s.inputs,
            until: s.until,
        };
        run.into_iter().map(step).collect()
    };
    match graph.lasso(&formulas, root, &atom, fair, budget) {
        Ok(found) => Ok(Ok(
            found.map(|(stem, cycle)| LassoSchedule { stem: steps(stem), cycle: steps(cycle) })
        )),
        Err(LassoError::Stopped(stop)) => Ok(Err(Incomplete::Stopped(stop).to_string())),
        Err(LassoError::TooManyMarks) => Ok(Err("too many threads and operators".into())),
    }
}

/// As [`explore_ltl`], with the run replayed; `states` were found.
pub(super) fn explored(
    program: &Program,
    target: &Target,
    ltl: &Ltl,
    (reduction, explore): (Reduction, &ExploreOptions),
    states: usize,
    budget: &Budget,
) -> Result<Outcome, DriverError> {
    Ok(match explore_ltl(program, ltl, reduction, explore, budget)? {
        Err(why) => Outcome::Open(why),
        Ok(None) => Outcome::Safe(Evidence::Explored { states }),
        Ok(Some(schedule)) => {
            let replay = judged(program, ltl, &schedule, budget)?;
            Outcome::Unsafe(Box::new(shown(target, schedule, replay)))
        }
    })
}
