//! `explore`: the explicit-state reference on a C program.

use crate::analysis::{Alive, Facts, Held, Transactions};
use crate::base::{Budget, HashSet, IndexVec};
use crate::outcome::{Schedule, ScheduleStep};
use crate::program::contention::{Item, race};
use crate::program::explore::{
    Exploration, ExploreError, ExploreOptions, Explorer, Incomplete, Moves, Run, StepExplorer,
    Stubborn, StubbornRules,
};
use crate::program::{LocId, Machine, ObjId, Program, State, ThreadId, VarId};
use crate::property::{Invariant, Ltl, Question, Target, TargetKind, resolve};
use crate::report::{
    CheckReport, CircuitReport, Evidence, ExplorationCounts, Statistics, Violation,
};
use crate::sched::Reduction;
use crate::witness::{ReplayOptions, holds, replay};

use super::check::{CheckOptions, Outcome, bounded, report};
use super::circuit::{analyse, stops};
use super::error::DriverError;
use super::frontend::{Loaded, load};
use super::ltl::explored;
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
    let Loaded { program, warnings } = load(&options.program.for_properties(&options.properties))?;
    let question = resolve(&program, &options.properties)?;
    let bound = options.context_bound;
    let (reduction, mut reduction_off) = match options.reduction {
        ReductionChoice::Auto => (Reduction::None, None),
        fixed => fixed.resolve(&question, bound)?,
    };
    let explore = ExploreOptions { context_bound: bound, ..explore.clone() };
    let found = match explore_question(&program, &question, reduction, &explore, budget) {
        Err(DriverError::Stopped(stop)) => {
            let checks = state_checks(&Machine::new(&program), &question).len();
            Exploration::unexplored(program.sites.len(), checks, Incomplete::Stopped(stop))
        }
        found => found?,
    };
    let mut outcomes = vec![];
    let mut runs = found.invariants.iter();
    for (k, target) in question.targets.iter().enumerate() {
        let run = match &target.kind {
            TargetKind::Ltl(ltl) => {
                let (own, off) = match options.reduction {
                    ReductionChoice::Auto => (Reduction::None, None),
                    fixed => fixed.for_formula(&program, ltl),
                };
                reduction_off = reduction_off.or(off);
                let (how, states) = ((own, &explore), found.states);
                let found = explored(&program, target, ltl, how, states, budget);
                outcomes.push(Some(match found {
                    Err(DriverError::Stopped(stop)) => Outcome::Open(stop.to_string()),
                    found => found?,
                }));
                continue;
            }
            TargetKind::Invariant(_)
            | TargetKind::Race(_)
            | TargetKind::Leak(_)
            | TargetKind::Local(..) => runs.next().expect("one run for each").as_ref(),
            TargetKind::Deadlock => found.deadlock.as_ref(),
            TargetKind::Sites(sites) => {
                let all = sites.iter().filter_map(|&s| found.sites[s].as_ref());
                all.min_by_key(|run| run.len())
            }
        };
        outcomes.push(Some(match (run, &found.incomplete) {
            (Some(run), _) => Outcome::Unsafe(Box::new(violation(&program, &question, k, run)?)),
            (None, None) => match bound {
                None => Outcome::Safe(Evidence::Explored { states: found.states }),
                Some(switches) => Outcome::Open(bounded(switches)),
            },
            (None, Some(why)) => Outcome::Open(why.to_string()),
        }));
    }
    let properties = report(&program, &question, outcomes);
    let counts = ExplorationCounts {
        states: found.states,
        transitions: found.transitions,
        paths: found.paths,
        depth: found.depth,
        ended: found.terminals.ended,
        deadlocked: found.terminals.deadlock,
        discarded: found.terminals.discarded,
        stopped: found.terminals.stopped,
    };
    let elapsed = budget.elapsed();
    let space = CircuitReport {
        properties: question.properties.clone(),
        reduction,
        reduction_off,
        statistics: Some(Statistics::of(&program)),
        members: vec![],
        elapsed,
    };
    Ok(CheckReport {
        program,
        warnings,
        properties,
        circuits: vec![space],
        exploration: Some(counts),
        proofs: vec![],
        engine: "explore",
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
    let checks = state_checks(&machine, question);
    let moves = match reduction {
        Reduction::None if explore.context_bound.is_some() => {
            Moves::Bounded(explore.context_bound.unwrap_or_default())
        }
        Reduction::None if explore.paths => Moves::Single,
        Reduction::None => {
            let mut explorer = Explorer::new(&machine, explore.clone());
            for check in &checks {
                explorer = explorer.invariant(check);
            }
            return explorer.run(budget).map_err(explore_error);
        }
        Reduction::Stubborn | Reduction::LockPatterns => Moves::Single,
        Reduction::LockPatternsSleep => Moves::Sleep,
        Reduction::Peephole => Moves::Peephole,
        Reduction::Transactions => Moves::Single,
        Reduction::Parallel => Moves::Parallel,
        Reduction::Foata | Reduction::ParallelTransactions => Moves::Foata,
    };
    let transactions = match reduction.has_transactions() {
        true => {
            let facts = analyse(program, question, budget)?;
            let observed = question.observed_locs(program);
            Some(Transactions::new(program, &facts, &observed, stops(question), budget)?)
        }
        false => None,
    };
    let boundary = |t: ThreadId, loc: LocId| {
        transactions.as_ref().is_none_or(|found| found.is_boundary(t, loc))
    };
    let observed = question.observed_vars();
    let observed_locs = question.observed_locs(program);
    let held = match reduction.is_stubborn() {
        true => {
            let facts = analyse(program, question, budget)?;
            Some(Held::new(program, &facts, &Alive::new(program, &facts)))
        }
        false => None,
    };
    let rules = held.map(|held| Rules {
        tokens: reduction.patterns().is_some_and(|p| p.tokens),
        live: false,
        held,
        observed,
        observed_locs,
        raced: question.targets.iter().filter_map(raced).collect(),
    });
    let stubborn = rules.as_ref().map(|rules| Stubborn::new(program, rules));
    let mut explorer = StepExplorer::new(&machine, &boundary, moves)
        .max_states(explore.max_states)
        .count_paths(explore.paths);
    if let Some(stubborn) = &stubborn {
        explorer = explorer.stubborn(stubborn);
    }
    for check in &checks {
        explorer = explorer.invariant(check);
    }
    explorer.run(budget).map_err(explore_error)
}

/// The rules of `st` and `lp`.
pub(super) struct Rules {
    tokens: bool,
    live: bool,
    held: Held,
    observed: Vec<VarId>,
    observed_locs: IndexVec<ThreadId, HashSet<LocId>>,
    raced: Vec<ObjId>,
}

fn raced(target: &Target) -> Option<ObjId> {
    match target.kind {
        TargetKind::Race(Item::Object(o)) => Some(o),
        _ => None,
    }
}

impl Rules {
    /// Those for a formula; none for [`Reduction::None`].
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn live(
        program: &Program,
        ltl: &Ltl,
        reduction: Reduction,
        budget: &Budget,
    ) -> Result<Option<Self>, DriverError> {
        let Some(patterns) = reduction.patterns() else { return Ok(None) };
        let facts = Facts::new(program, &ltl.vars(), &[], budget)?;
        let held = Held::new(program, &facts, &Alive::new(program, &facts));
        let (observed, observed_locs) = (ltl.vars(), ltl.locs(program));
        let tokens = patterns.tokens;
        Ok(Some(Self { tokens, live: true, held, observed, observed_locs, raced: vec![] }))
    }
}

impl StubbornRules for Rules {
    fn are_live(&self) -> bool {
        self.live
    }

    fn counts_tokens(&self) -> bool {
        self.tokens
    }

    fn is_orderly(&self, mutex: VarId) -> bool {
        self.held.is_orderly(mutex)
    }

    fn is_observed(&self, v: VarId) -> bool {
        self.observed.contains(&v)
    }

    fn is_observed_loc(&self, t: ThreadId, loc: LocId) -> bool {
        self.observed_locs[t].contains(&loc)
    }

    fn is_raced(&self, o: ObjId) -> bool {
        self.raced.contains(&o)
    }
}

pub(super) fn explore_error(e: ExploreError) -> DriverError {
    match e {
        ExploreError::InputTooWide { .. } | ExploreError::EndlessSection(_) => DriverError::File(
            format!("{e}: explore is for programs with small choices, use check for this one"),
        ),
        ExploreError::Internal(e) => DriverError::Internal(e.to_string()),
    }
}

/// Whether something holds in a state.
pub type StateCheck<'a> = Box<dyn Fn(&State) -> bool + 'a>;

/// What has to hold in every state: no race, an invariant, no leak, or no local deadlock, for each
/// target of these kinds in their order.
pub fn state_checks<'a>(machine: &'a Machine, question: &'a Question) -> Vec<StateCheck<'a>> {
    let check = |target: &'a Target| -> Option<StateCheck<'a>> {
        match &target.kind {
            TargetKind::Invariant(i) => {
                Some(Box::new(|state| visible_holds(machine.program(), i, state)))
            }
            // A program that is wrong is reported by the exploration.
            TargetKind::Race(item) => {
                Some(Box::new(|state| !matches!(race(machine, state, *item), Ok(Some(_)))))
            }
            TargetKind::Leak(leak) => {
                Some(Box::new(|state| leak.objects(machine.program(), state).is_empty()))
            }
            TargetKind::Local(found, kind) => Some(Box::new(
                |state| !matches!(found.threads(machine, state, *kind), Ok(list) if !list.is_empty()),
            )),
            TargetKind::Sites(_) | TargetKind::Deadlock | TargetKind::Ltl(_) => None,
        }
    };
    question.targets.iter().filter_map(check).collect()
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
    Ok(Violation { target, schedule, replay, cycle_start: None, witness: None, lasso: None })
}
