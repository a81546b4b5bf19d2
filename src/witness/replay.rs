//! Replay: the judge of every counterexample.

use std::fmt;

use crate::base::HashMap;
use crate::expr::sign_extend;
use crate::outcome::{Schedule, ScheduleStep};
use crate::program::contention::race;
use crate::program::explore::Terminal;
use crate::program::{
    EdgeId, LocId, Machine, Program, ReplayError, SiteId, State, ThreadId, VarId, run_step_seen,
};
use crate::property::{Atom, Invariant, Target, TargetKind};

/// Limits of a replay.
#[derive(Clone, Copy, Debug)]
pub struct ReplayOptions {
    /// Most edges of one step.
    pub max_edges: usize,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { max_edges: 1_000_000 }
    }
}

/// One executed edge.
#[derive(Clone, Debug)]
pub struct Executed {
    /// Who moved.
    pub thread: ThreadId,
    /// Over which edge.
    pub edge: EdgeId,
    /// The step of the schedule, 0-based.
    pub step: usize,
    /// The variables that were written, with old and new value.
    pub changes: Vec<(VarId, u128, u128)>,
    /// The site that was violated by it.
    pub site: Option<SiteId>,
}

/// A schedule as the interpreter ran it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The edges in order, without ends of the process that others outlived.
    pub edges: Vec<Executed>,
    /// The final state.
    pub state: State,
}

/// Why a schedule does not show what was claimed.
#[derive(Clone, Debug)]
pub enum Mismatch {
    /// A step cannot be taken.
    Step {
        /// The step, 0-based.
        step: usize,
        /// Why.
        error: ReplayError,
    },
    /// The step ended somewhere else.
    Place {
        /// The step, 0-based.
        step: usize,
        /// Where the circuit's thread was.
        expected: LocId,
        /// Where the interpreter's was.
        found: LocId,
    },
    /// The run does not violate the target.
    NotViolated,
    /// The state at the end of a cycle is none at its start.
    Open,
    /// A run that goes on for ever is none of those that count, for this reason.
    LeftOut(&'static str),
    /// The run is not fair to this thread.
    Unfair(ThreadId),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Step { step, error } => write!(f, "step {step}: {error}"),
            Mismatch::Place { step, expected, found } => {
                write!(f, "step {step} ends at {found:?}, not at {expected:?}")
            }
            Mismatch::LeftOut(why) => f.write_str(why),
            Mismatch::Unfair(t) => write!(f, "the cycle is not fair to thread {t:?}"),
            Mismatch::Open => f.write_str("the cycle does not come back to its state"),
            Mismatch::NotViolated => f.write_str("the run does not violate the property"),
        }
    }
}

/// Runs the schedule and checks that it violates the target.
///
/// # Errors
/// If it does not: an internal error, or a witness that belongs to another program.
pub fn replay(
    program: &Program,
    schedule: &Schedule,
    target: &Target,
    options: ReplayOptions,
) -> Result<Replay, Mismatch> {
    let machine = Machine::new(program);
    let mut state = machine.initial();
    let mut edges = execute(&machine, &mut state, &schedule.steps, 0, options, &mut |_| {})?;
    let violated = match &target.kind {
        TargetKind::Sites(sites) => {
            edges.last().and_then(|e| e.site).is_some_and(|s| sites.contains(&s))
        }
        TargetKind::Invariant(invariant) => !holds(invariant, &state),
        // Violated by runs that go on for ever.
        TargetKind::Ltl(_) => false,
        TargetKind::Race(item) => matches!(race(&machine, &state, *item), Ok(Some(_))),
        TargetKind::Leak(leak) => !leak.objects(program, &state).is_empty(),
        TargetKind::Deadlock => is_deadlock(&machine, &state),
        TargetKind::Local(found, kind) => {
            found.threads(&machine, &state, *kind).is_ok_and(|list| !list.is_empty())
        }
    };
    if !violated {
        return Err(Mismatch::NotViolated);
    }
    drop_process_ends(program, &mut edges);
    Ok(Replay { edges, state })
}

/// Whether no thread can move, and that is not because all is over.
pub fn is_deadlock(machine: &Machine, state: &State) -> bool {
    let program = machine.program();
    let stuck = program.threads.ids().all(|t| matches!(machine.enabled(state, t), Ok(None)));
    stuck && Terminal::of(program, state) == Terminal::Deadlock
}

/// Runs the steps, the first of which has the number `first`; the executed edges. `seen` is called
/// with the state after each.
pub(super) fn execute(
    machine: &Machine<'_>,
    state: &mut State,
    steps: &[ScheduleStep],
    first: usize,
    options: ReplayOptions,
    seen: &mut dyn FnMut(&State),
) -> Result<Vec<Executed>, Mismatch> {
    let mut edges: Vec<Executed> = vec![];
    for (k, step) in steps.iter().enumerate() {
        let number = first + k;
        let values: HashMap<_, _> = step.inputs.iter().copied().collect();
        let mut input = |i| values.get(&i).copied().unwrap_or(0);
        let (thread, until, max) = (step.thread, step.until, options.max_edges);
        let infos = run_step_seen(machine, state, thread, until, &mut input, max, seen)
            .map_err(|error| Mismatch::Step { step: number, error })?;
        let (found, expected) = (state.loc(step.thread), step.until);
        let kind = |l: LocId| machine.program().threads[step.thread].locations[l].kind;
        if kind(found) != kind(expected) {
            return Err(Mismatch::Place { step: number, expected, found });
        }
        edges.extend(infos.into_iter().map(|info| Executed {
            thread: step.thread,
            edge: info.edge,
            step: number,
            changes: info.changes,
            site: info.site,
        }));
    }
    Ok(edges)
}

/// Whether the invariant holds in the state.
pub fn holds(invariant: &Invariant, state: &State) -> bool {
    let mut leaf = |atom| match atom {
        Atom::Var(v) => state.value(v),
        Atom::At(t, loc) => u128::from(state.loc(t) == loc),
        Atom::Enabled(_) => unreachable!("invariants have no such atom"),
    };
    invariant.pool.eval(invariant.condition, &mut leaf) == 1
}

/// The end of the process that others outlive could have come after what they do.
fn drop_process_ends(program: &Program, edges: &mut Vec<Executed>) {
    let last = edges.len().saturating_sub(1);
    let mut k = 0;
    edges.retain(|e| {
        let edge = &program.threads[e.thread].edges[e.edge];
        k += 1;
        edge.sync != crate::program::Sync::ProcessEnd || k > last
    });
}

/// A variable's value as C prints it.
pub fn show_value(program: &Program, var: VarId, value: u128) -> String {
    let v = &program.vars[var];
    if v.signed { sign_extend(value, v.width).to_string() } else { value.to_string() }
}
