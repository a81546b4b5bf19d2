//! Replay of runs that go on for ever, and the judge of those that violate a temporal formula. It
//! shares nothing with the tableau that they were found by.

use crate::outcome::LassoSchedule;
use crate::program::explore::waits_for_lock;
use crate::program::{LocKind, Location, Machine, Program, SiteKind, State, ThreadId, VarId};
use crate::property::{Atom, Fairness, Ltl};

use super::replay::{Executed, Mismatch, ReplayOptions, execute};

/// A schedule that goes on for ever, as the interpreter ran it.
#[derive(Clone, Debug)]
pub struct LassoReplay {
    /// The edges of the stem and of the cycle once, in order.
    pub edges: Vec<Executed>,
    /// Position in `edges` of the cycle's first edge.
    pub cycle_start: usize,
    /// The state at the cycle's start, and at its end.
    pub state: State,
}

/// Times that the cycle is run before its state must have come again. The circuit forgets values
/// that nobody reads any more, the interpreter does not; they are those of the last time from the
/// second time on.
const ROUNDS: usize = 4;

/// Runs the schedule, and its cycle until the state at its end is one that it started from. What
/// comes before counts as stem.
///
/// # Errors
/// If a step cannot be taken, or the state does not come again.
pub fn replay_lasso(
    program: &Program,
    schedule: &LassoSchedule,
    options: ReplayOptions,
) -> Result<LassoReplay, Mismatch> {
    run_lasso(&Machine::new(program), schedule, &|_, _| true, options, &mut |_| {})
}

/// As [`replay_lasso`]; only the variables that matter must come back to their values. `seen` is
/// called with the state after each edge.
fn run_lasso(
    machine: &Machine<'_>,
    schedule: &LassoSchedule,
    matters: &dyn Fn(&State, VarId) -> bool,
    options: ReplayOptions,
    seen: &mut dyn FnMut(&State),
) -> Result<LassoReplay, Mismatch> {
    let same = |a: &State, b: &State| {
        let mut vars = machine.program().vars.ids().filter(|&v| matters(a, v));
        a.locs() == b.locs() && vars.all(|v| a.value(v) == b.value(v))
    };
    let mut state = machine.initial();
    let mut edges = execute(machine, &mut state, &schedule.stem, 0, options, seen)?;
    let mut step = schedule.stem.len();
    let mut starts = vec![];
    for _ in 0..ROUNDS {
        starts.push((state.clone(), edges.len()));
        edges.extend(execute(machine, &mut state, &schedule.cycle, step, options, seen)?);
        step += schedule.cycle.len();
        if let Some((_, cycle_start)) = starts.iter().find(|(start, _)| same(start, &state)) {
            return Ok(LassoReplay { edges, cycle_start: *cycle_start, state });
        }
    }
    Err(Mismatch::Open)
}

/// Runs the schedule and checks that it is one of the runs that the formula is about, and does not
/// satisfy it. Only the variables that matter must come back to their values: all that guards and
/// the formula can depend on.
///
/// # Errors
/// If a step cannot be taken, the state does not come again, or the run is none that counts.
pub fn replay_ltl(
    program: &Program,
    schedule: &LassoSchedule,
    ltl: &Ltl,
    matters: &dyn Fn(&State, VarId) -> bool,
    options: ReplayOptions,
) -> Result<LassoReplay, Mismatch> {
    let machine = Machine::new(program);
    let mut states = vec![machine.initial()];
    let replay =
        run_lasso(&machine, schedule, matters, options, &mut |state| states.push(state.clone()))?;
    let judge = Judge { machine: &machine, ltl, replay: &replay, states: &states };
    judge.counts()?;
    if ltl.fairness != Fairness::None {
        judge.is_fair()?;
    }
    match judge.violates() {
        true => Ok(replay),
        false => Err(Mismatch::NotViolated),
    }
}

/// Looks at a run: at the states before and after each edge.
struct Judge<'a, 'p> {
    machine: &'a Machine<'p>,
    ltl: &'a Ltl,
    replay: &'a LassoReplay,
    states: &'a [State],
}

impl Judge<'_, '_> {
    fn location(&self, state: &State, t: ThreadId) -> &Location {
        &self.machine.program().threads[t].locations[state.loc(t)]
    }

    fn some_thread(&self, state: &State, wanted: impl Fn(&Location) -> bool) -> bool {
        self.machine.program().threads.ids().any(|t| wanted(self.location(state, t)))
    }

    fn is_over(&self, state: &State) -> bool {
        self.some_thread(state, |l| l.kind == LocKind::Stopped)
    }

    /// Outside of atomic sections.
    fn is_seen(&self, state: &State) -> bool {
        !self.some_thread(state, |l| l.atomic && l.kind == LocKind::Running)
    }

    fn can_move(&self, state: &State, t: ThreadId) -> bool {
        !self.is_over(state) && self.machine.enabled(state, t).is_ok_and(|e| e.is_some())
    }

    /// Whether the guard of the thread's next edge holds, and the process goes on.
    fn is_enabled(&self, state: &State, t: ThreadId) -> bool {
        !self.is_over(state) && self.machine.guarded(state, t).is_ok_and(|e| e.is_some())
    }

    /// The states of the cycle.
    fn cycle(&self) -> &[State] {
        &self.states[self.replay.cycle_start..]
    }

    /// Whether nothing moves in the cycle.
    fn is_still(&self) -> bool {
        self.replay.cycle_start == self.replay.edges.len()
    }

    fn counts(&self) -> Result<(), Mismatch> {
        let program = self.machine.program();
        let last = self.states.last().expect("there is a first state");
        let before = &self.states[..self.states.len() - 1];
        let left_out =
            |e: &Executed| e.site.is_some_and(|s| program.sites[s].kind != SiteKind::Assertion);
        let goes_on = program.threads.ids().any(|t| self.can_move(last, t));
        if before.iter().any(|s| self.is_over(s)) {
            Err(Mismatch::LeftOut("the run goes on after the end of the process"))
        } else if self.is_still() && goes_on {
            Err(Mismatch::LeftOut("the run ends where a thread can move"))
        } else if self.some_thread(last, |l| l.kind == LocKind::Discarded) {
            Err(Mismatch::LeftOut("an assumption is false on the run"))
        } else if self.replay.edges.iter().any(left_out) {
            Err(Mismatch::LeftOut("the program has no meaning on the run, or reaches a bound"))
        } else {
            Ok(())
        }
    }

    fn is_fair(&self) -> Result<(), Mismatch> {
        if self.is_still() {
            return Ok(());
        }
        let edges = &self.replay.edges[self.replay.cycle_start..];
        for (t, thread) in self.machine.program().threads.iter_enumerated() {
            let moves = edges.iter().any(|e| e.thread == t);
            let waits = self.cycle().iter().any(|s| !self.is_enabled(s, t));
            if !moves && !waits {
                return Err(Mismatch::Unfair(t));
            }
            let could = |s: &State| waits_for_lock(thread, s.loc(t)) && self.is_enabled(s, t);
            let takes = edges.iter().zip(self.cycle()).any(|(e, s)| e.thread == t && could(s));
            let strong = self.ltl.fairness == Fairness::Locks;
            if strong && !takes && self.cycle().iter().any(could) {
                return Err(Mismatch::Unfair(t));
            }
        }
        Ok(())
    }

    /// Whether the formula is false on the run, read where no thread is inside an atomic section.
    fn violates(&self) -> bool {
        // The last state is the first of the cycle again, unless nothing moves.
        let count = self.states.len() - usize::from(!self.is_still());
        let seen: Vec<usize> = (0..count).filter(|&k| self.is_seen(&self.states[k])).collect();
        let start = seen.iter().filter(|&&k| k < self.replay.cycle_start).count();
        let start = start.min(seen.len() - 1);
        let atom = |condition, k: usize| {
            let state = &self.states[seen[k]];
            self.ltl.holds(condition, &mut |atom| match atom {
                Atom::Var(v) => state.value(v),
                Atom::At(t, loc) => u128::from(state.loc(t) == loc),
                Atom::Enabled(t) => u128::from(self.can_move(state, t)),
            })
        };
        !self.ltl.formulas.holds(self.ltl.root, seen.len(), start, &atom)
    }
}
