//! Exploration by larger and parallel steps: the reference for circuits whose frames are such.
//!
//! A step of a thread goes on over its edges to the next boundary. With parallel steps, one move
//! of the program is any set of steps of different threads of which none writes what another reads
//! or writes, all taken from the same state. In Foata form (K. Heljanko: Bounded reachability
//! checking with process semantics, CONCUR 2001) a thread takes part in a move only if it took part
//! in the one before, or might have been in conflict with it; in the first move all may.

use crate::base::{Budget, HashMap, Id, IndexVec};
use crate::expr::mask;
use crate::program::interp::{Change, Footprint};
use crate::program::{InputId, LocId, LocKind, Machine, State, ThreadId};

use super::pack::Layout;
use super::report::{Exploration, ExploreError, Incomplete, Run, RunStep, Terminal, Terminals};

/// How the program moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moves {
    /// One thread takes a step.
    #[default]
    Single,
    /// Any set of threads takes steps that are not in conflict.
    Parallel,
    /// The same, in Foata form.
    Foata,
}

/// Whether a step of the thread ends when it gets to the location. It ends at all others than
/// running ones, and where it would pass a location again, anyhow.
pub type Boundary<'a> = &'a dyn Fn(ThreadId, LocId) -> bool;

/// Something that should hold in every state.
type Invariant<'a> = &'a dyn Fn(&State) -> bool;

/// An exploration to be run.
pub struct StepExplorer<'a, 'p> {
    machine: &'a Machine<'p>,
    boundary: Boundary<'a>,
    moves: Moves,
    invariants: Vec<Invariant<'a>>,
    max_states: Option<usize>,
    input_bits: u32,
}

/// A step that a thread can take, or (`possible` is false) would take if it did not have to wait
/// on the way.
struct Step {
    run: Run,
    changes: Vec<Change>,
    footprint: Footprint,
    site: Option<crate::program::SiteId>,
    possible: bool,
    /// It begins or ends inside an atomic section.
    section: bool,
}

impl Step {
    fn conflicts(&self, other: &Self) -> bool {
        let meet = |a: &[_], b: &[_]| a.iter().any(|v| b.contains(v));
        let (a, b) = (&self.footprint, &other.footprint);
        self.section
            || other.section
            || meet(&a.writes, &b.writes)
            || meet(&a.writes, &b.reads)
            || meet(&a.reads, &b.writes)
    }
}

impl<'a, 'p> StepExplorer<'a, 'p> {
    /// An exploration without invariants and limits.
    pub fn new(machine: &'a Machine<'p>, boundary: Boundary<'a>, moves: Moves) -> Self {
        Self { machine, boundary, moves, invariants: vec![], max_states: None, input_bits: 8 }
    }

    /// Adds something that should hold in every state.
    #[must_use]
    pub fn invariant(mut self, holds: Invariant<'a>) -> Self {
        self.invariants.push(holds);
        self
    }

    /// Stops when there are more states than this.
    #[must_use]
    pub fn max_states(mut self, max: Option<usize>) -> Self {
        self.max_states = max;
        self
    }

    /// Explores. States are counted apart if different threads may move next (in Foata form).
    /// Terminal states are those in which no step is possible: a thread that waits in the middle
    /// of a step counts as waiting at its beginning.
    ///
    /// # Errors
    /// If an edge chooses from too many values, or the program is wrong.
    pub fn run(&self, budget: &Budget) -> Result<Exploration, ExploreError> {
        let program = self.machine.program();
        let all_due = program.threads.len().min(64);
        let start = (self.machine.initial(), u64::MAX >> (64 - all_due));
        let mut search = Search {
            rules: self,
            layout: Layout::new(program),
            known: HashMap::default(),
            origins: vec![],
            queue: vec![],
            found: Exploration {
                states: 0,
                transitions: 0,
                depth: 0,
                sites: IndexVec::filled(None, program.sites.len()),
                invariants: vec![None; self.invariants.len()],
                terminals: Terminals::default(),
                deadlock: None,
                incomplete: None,
            },
        };
        search.add(start, Origin { parent: None, run: vec![], depth: 0 });
        let mut next = 0;
        while next < search.queue.len() {
            if let Some(stop) = budget.check() {
                search.found.incomplete = Some(Incomplete::Stopped(stop));
                break;
            }
            if let Some(max) = self.max_states
                && search.queue.len() > max
            {
                search.found.incomplete = Some(Incomplete::MaxStates(max));
                break;
            }
            search.expand(next)?;
            next += 1;
        }
        search.found.states = search.queue.len();
        Ok(search.found)
    }

    /// All steps of a thread in a state, for all inputs.
    fn steps(&self, state: &mut State, thread: ThreadId) -> Result<Vec<Step>, ExploreError> {
        let mut result = vec![];
        let locations = &self.machine.program().threads[thread].locations;
        let loc = state.loc(thread);
        if locations[loc].kind == LocKind::Running && !self.machine.is_shut_out(state, thread) {
            let begun = Step {
                run: vec![],
                changes: vec![],
                footprint: Footprint::default(),
                site: None,
                possible: true,
                section: locations[loc].atomic,
            };
            self.go_on(state, thread, begun, &mut vec![], &mut result)?;
        }
        Ok(result)
    }

    /// Finishes a step in every possible way. `state` is left as it was.
    fn go_on(
        &self,
        state: &mut State,
        thread: ThreadId,
        begun: Step,
        passed: &mut Vec<LocId>,
        result: &mut Vec<Step>,
    ) -> Result<(), ExploreError> {
        let machine = self.machine;
        let locations = &machine.program().threads[thread].locations;
        let from = state.loc(thread);
        let Some(choice) = machine.choice(state, thread)? else {
            let mut step = Step { possible: false, ..begun };
            machine.footprint(state, thread, None, &mut |_| 0, &mut step.footprint)?;
            result.push(step);
            return Ok(());
        };
        passed.push(from);
        let inputs: Vec<InputId> = choice.inputs().to_vec();
        let bits: u32 = inputs.iter().map(|&i| machine.program().inputs[i].width).sum();
        if bits > self.input_bits {
            let input = inputs[0];
            let name = machine.program().inputs[input].name.clone();
            return Err(ExploreError::InputTooWide { input, name, bits, limit: self.input_bits });
        }
        for code in 0..1u32 << bits {
            let values = self.decode(&inputs, code);
            let mut value = |i| values.iter().find(|v| v.0 == i).expect("all inputs are listed").1;
            let mut step = Step {
                run: begun.run.clone(),
                changes: begun.changes.clone(),
                footprint: begun.footprint.clone(),
                ..begun
            };
            machine.footprint(state, thread, Some(choice), &mut value, &mut step.footprint)?;
            let before = step.changes.len();
            match machine.fire(state, thread, choice, &mut value, &mut step.changes) {
                Ok(()) => {}
                Err(crate::program::StepError::Internal(e)) => return Err(e.into()),
                Err(e) => unreachable!("the edge is enabled and its inputs are in range: {e}"),
            }
            let changed = step.changes[before..].to_vec();
            let to = state.loc(thread);
            step.run.push(RunStep { thread, inputs: values.clone(), until: to });
            step.site = choice.site();
            let over = step.site.is_some()
                || locations[to].kind != LocKind::Running
                || (!locations[to].atomic && (self.boundary)(thread, to))
                || passed.contains(&to);
            if over {
                step.section |= locations[to].atomic;
                result.push(step);
            } else {
                self.go_on(state, thread, step, passed, result)?;
            }
            changed.iter().rev().for_each(|&(v, old, _)| {
                state.set_value(v, old);
            });
            state.set_loc(thread, from);
        }
        passed.pop();
        Ok(())
    }

    fn decode(&self, inputs: &[InputId], mut code: u32) -> Vec<(InputId, u128)> {
        let mut values = vec![];
        for &i in inputs {
            let width = self.machine.program().inputs[i].width;
            values.push((i, u128::from(code) & mask(width)));
            code = code.checked_shr(width).unwrap_or(0);
        }
        values
    }
}

/// How a state was reached first.
struct Origin {
    /// Position of the earlier state.
    parent: Option<usize>,
    /// What the threads did in it.
    run: Run,
    depth: usize,
}

/// A state, and the threads that may move in it as a bit set.
type Node = (State, u64);

struct Search<'a, 'p> {
    rules: &'a StepExplorer<'a, 'p>,
    layout: Layout,
    known: HashMap<(Vec<u64>, u64), ()>,
    origins: Vec<Origin>,
    queue: Vec<Node>,
    found: Exploration,
}

impl Search<'_, '_> {
    fn add(&mut self, node: Node, origin: Origin) {
        let key = (self.layout.pack(&node.0), node.1);
        if self.known.insert(key, ()).is_none() {
            self.found.depth = self.found.depth.max(origin.depth);
            self.origins.push(origin);
            self.queue.push(node);
        }
    }

    fn run_to(&self, mut number: usize) -> Run {
        let mut parts = vec![];
        while let Some(parent) = self.origins[number].parent {
            parts.push(&self.origins[number].run);
            number = parent;
        }
        parts.into_iter().rev().flatten().cloned().collect()
    }

    fn expand(&mut self, number: usize) -> Result<(), ExploreError> {
        let (mut state, due) = self.queue[number].clone();
        for (k, holds) in self.rules.invariants.iter().enumerate() {
            if self.found.invariants[k].is_none() && !holds(&state) {
                self.found.invariants[k] = Some(self.run_to(number));
            }
        }
        let program = self.rules.machine.program();
        let mut all = vec![];
        for t in program.threads.ids() {
            all.push(self.rules.steps(&mut state, t)?);
        }
        if !all.iter().flatten().any(|s| s.possible) {
            self.found.terminals.count(Terminal::of(program, &state));
        }
        self.combine(number, &all, due, &mut vec![]);
        Ok(())
    }

    /// Takes every allowed set of steps that begins with `chosen`; the other steps are of threads
    /// after those.
    fn combine(
        &mut self,
        number: usize,
        all: &[Vec<Step>],
        due: u64,
        chosen: &mut Vec<(usize, usize)>,
    ) {
        let first = chosen.last().map_or(0, |c| c.0 + 1);
        if self.rules.moves == Moves::Single && !chosen.is_empty() {
            return;
        }
        for t in (first..all.len()).filter(|t| due >> t & 1 == 1) {
            for (k, step) in all[t].iter().enumerate().filter(|(_, s)| s.possible) {
                if chosen.iter().any(|&(u, j)| all[u][j].conflicts(step)) {
                    continue;
                }
                chosen.push((t, k));
                self.take(number, all, chosen);
                self.combine(number, all, due, chosen);
                chosen.pop();
            }
        }
    }

    fn take(&mut self, number: usize, all: &[Vec<Step>], chosen: &[(usize, usize)]) {
        self.found.transitions += 1;
        let mut state = self.queue[number].0.clone();
        let mut run = vec![];
        let mut due = u64::MAX >> (64 - all.len().min(64));
        for &(t, k) in chosen {
            let step = &all[t][k];
            step.changes.iter().for_each(|&(v, _, new)| {
                state.set_value(v, new);
            });
            let last = step.run.last().expect("a step has an edge");
            state.set_loc(ThreadId::new(t), last.until);
            if let Some(site) = step.site
                && self.found.sites[site].is_none()
            {
                let mut whole = self.run_to(number);
                whole.extend(step.run.iter().cloned());
                self.found.sites[site] = Some(whole);
            }
            run.extend(step.run.iter().cloned());
        }
        if self.rules.moves == Moves::Foata {
            due = 0;
            for (t, steps) in all.iter().enumerate() {
                let moved = chosen.iter().any(|c| c.0 == t);
                let touched = || {
                    let taken = chosen.iter().map(|&(u, k)| &all[u][k]);
                    taken.into_iter().any(|a| a.section || steps.iter().any(|b| a.conflicts(b)))
                };
                due |= u64::from(moved || touched()) << t;
            }
        }
        let depth = self.origins[number].depth + 1;
        self.add((state, due), Origin { parent: Some(number), run, depth });
    }
}
