//! Exploration by larger and parallel steps: the reference for circuits whose frames are such.
//!
//! A step of a thread goes on over its edges to the next boundary. With parallel steps, one move
//! of the program is any set of steps of different threads of which none writes what another reads
//! or writes, all taken from the same state; what counts is what a step does in [sum](super::sums).
//! In Foata form (K. Heljanko: Bounded reachability checking with process semantics, CONCUR 2001) a
//! thread takes part in a move only if it took part in the one before, or might have been in
//! conflict with it; in the first move all may.

use crate::base::{Budget, HashMap, Id, IndexVec};
use crate::expr::mask;
use crate::program::interp::{Change, Footprint};
use crate::program::{EdgeId, InputId, LocId, LocKind, Machine, State, ThreadId, VarId};

use super::pack::Layout;
use super::report::{Exploration, ExploreError, Incomplete, Run, RunStep, Terminal, Terminals};
use super::stubborn::{Next, Stubborn};
use super::sums::{Taken, sum_up};

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
    /// One thread takes a step that does not have to come before the one of a greater thread that
    /// was taken last.
    Peephole,
    /// One thread takes a step, unless it was left for later and nothing that it depends on has
    /// happened since.
    Sleep,
    /// One thread takes a step, and at most so many times it is not the one of the step before.
    Bounded(u32),
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
    stubborn: Option<&'a Stubborn<'p, 'a>>,
    invariants: Vec<Invariant<'a>>,
    max_states: Option<usize>,
    count_paths: bool,
    input_bits: u32,
}

/// A step that a thread can take, or (`possible` is false) would take if it did not have to wait
/// on the way.
struct Step {
    run: Run,
    /// Its first edge.
    edge: Option<EdgeId>,
    changes: Vec<Change>,
    footprint: Footprint,
    /// What it adds to variables that are not in its footprint.
    adds: Vec<(VarId, u128)>,
    site: Option<crate::program::SiteId>,
    possible: bool,
    /// It begins or ends inside an atomic section.
    section: bool,
}

impl Step {
    fn conflicts(&self, other: &Self) -> bool {
        let meet = |a: &[_], b: &[_]| a.iter().any(|v| b.contains(v));
        let (a, b) = (&self.footprint, &other.footprint);
        let adds = |step: &Self, f: &Footprint| {
            step.adds.iter().any(|(v, _)| f.reads.contains(v) || f.writes.contains(v))
        };
        self.section
            || adds(self, b)
            || adds(other, a)
            || other.section
            || meet(&a.writes, &b.writes)
            || meet(&a.writes, &b.reads)
            || meet(&a.reads, &b.writes)
    }
}

impl<'a, 'p> StepExplorer<'a, 'p> {
    /// An exploration without invariants and limits.
    pub fn new(machine: &'a Machine<'p>, boundary: Boundary<'a>, moves: Moves) -> Self {
        Self {
            machine,
            boundary,
            moves,
            stubborn: None,
            invariants: vec![],
            max_states: None,
            count_paths: false,
            input_bits: 8,
        }
    }

    /// Only threads of stubborn sets move. Steps are single edges then.
    #[must_use]
    pub fn stubborn(mut self, stubborn: &'a Stubborn<'p, 'a>) -> Self {
        self.stubborn = Some(stubborn);
        self
    }

    /// Adds something that should hold in every state.
    #[must_use]
    pub fn invariant(mut self, holds: Invariant<'a>) -> Self {
        self.invariants.push(holds);
        self
    }

    /// Counts the runs that end.
    #[must_use]
    pub fn count_paths(mut self, count: bool) -> Self {
        self.count_paths = count;
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
        let memory = match self.moves {
            Moves::Foata => all_threads(program.threads.len()),
            Moves::Bounded(switches) => u64::from(switches) << 8,
            _ => 0,
        };
        let start = (self.machine.initial(), memory);
        let mut search = Search {
            rules: self,
            layout: Layout::new(program),
            known: HashMap::default(),
            next: vec![],
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
                paths: None,
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
        if self.count_paths && search.found.incomplete.is_none() {
            search.found.paths = search.paths();
        }
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
                edge: None,
                changes: vec![],
                footprint: Footprint::default(),
                adds: vec![],
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
                edge: begun.edge.or(Some(choice.edge())),
                changes: begun.changes.clone(),
                footprint: begun.footprint.clone(),
                adds: vec![],
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

/// A state, and what is remembered of the way to it: in Foata form the threads that may move, as a
/// bit set; those that may not for peepholes and sleep; for a bound, the thread that moved last (plus
/// one) and, from bit 8 on, how often another one may be.
type Node = (State, u64);

fn all_threads(count: usize) -> u64 {
    u64::MAX >> (64 - count.min(64))
}

struct Search<'a, 'p> {
    rules: &'a StepExplorer<'a, 'p>,
    layout: Layout,
    known: HashMap<(Vec<u64>, u64), usize>,
    /// The successors of each state, if paths are counted.
    next: Vec<Vec<usize>>,
    origins: Vec<Origin>,
    queue: Vec<Node>,
    found: Exploration,
}

impl Search<'_, '_> {
    fn add(&mut self, node: Node, origin: Origin) {
        let key = (self.layout.pack(&node.0), node.1);
        let new = self.queue.len();
        let index = *self.known.entry(key).or_insert(new);
        if self.rules.count_paths
            && let Some(parent) = origin.parent
        {
            self.next[parent].push(index);
        }
        if index == new {
            self.found.depth = self.found.depth.max(origin.depth);
            self.origins.push(origin);
            self.queue.push(node);
            self.next.push(vec![]);
        }
    }

    /// The number of runs from the start to a state without successors; none if a run can go on for
    /// ever.
    fn paths(&self) -> Option<f64> {
        let mut count: Vec<Option<f64>> = vec![None; self.next.len()];
        let mut open = vec![false; self.next.len()];
        let mut stack = vec![(0, 0)];
        while let Some((s, k)) = stack.pop() {
            open[s] = true;
            match self.next[s].get(k) {
                Some(&to) if open[to] => return None,
                Some(&to) => {
                    stack.push((s, k + 1));
                    if count[to].is_none() {
                        stack.push((to, 0));
                    }
                }
                None => {
                    let sum: f64 = self.next[s].iter().filter_map(|&to| count[to]).sum();
                    count[s] = Some(if self.next[s].is_empty() { 1.0 } else { sum });
                    open[s] = false;
                }
            }
        }
        count[0]
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
        let (mut state, memory) = self.queue[number].clone();
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
            let kind = Terminal::of(program, &state);
            self.found.terminals.count(kind);
            if kind == Terminal::Deadlock && self.found.deadlock.is_none() {
                self.found.deadlock = Some(self.run_to(number));
            }
        }
        if matches!(self.rules.moves, Moves::Parallel | Moves::Foata) {
            for step in all.iter_mut().flatten().filter(|s| s.possible) {
                let taken = Taken { run: &step.run, changes: &step.changes, site: step.site };
                step.adds = sum_up(self.rules.machine, &state, &taken, &mut step.footprint);
            }
        }
        let turns = match self.rules.moves {
            Moves::Bounded(_) => self.due(memory, all.len()),
            _ => all_threads(all.len()),
        };
        for step in all.iter().enumerate().filter(|(t, _)| turns >> t & 1 == 1).flat_map(|t| t.1) {
            if step.possible {
                self.look_inside(number, &state, step)?;
            }
        }
        let set = match self.rules.stubborn {
            None => all_threads(all.len()),
            Some(stubborn) => {
                let next: Vec<_> = (0..all.len())
                    .map(|k| next_accesses(stubborn, &state, ThreadId::new(k), &all[k]))
                    .collect();
                stubborn.choose(&state, &next)
            }
        };
        let due = set & self.due(memory, all.len());
        self.combine(Around { number, all: &all, memory, set }, due, &mut vec![]);
        Ok(())
    }

    /// The threads that may move after what is remembered.
    fn due(&self, memory: u64, count: usize) -> u64 {
        match self.rules.moves {
            Moves::Single | Moves::Parallel => all_threads(count),
            Moves::Foata => memory,
            Moves::Peephole | Moves::Sleep => !memory,
            Moves::Bounded(_) => match (memory & 0xff, memory >> 8) {
                (0, _) | (_, 1..) => all_threads(count),
                (last, 0) => 1 << (last - 1),
            },
        }
    }

    /// Checks the invariants in the states inside of an atomic section that a step passes.
    fn look_inside(
        &mut self,
        number: usize,
        from: &State,
        step: &Step,
    ) -> Result<(), ExploreError> {
        let machine = self.rules.machine;
        let locations = |t: ThreadId| &machine.program().threads[t].locations;
        if !step.run.iter().any(|s| locations(s.thread)[s.until].atomic) {
            return Ok(());
        }
        let mut state = from.clone();
        for (k, edge) in step.run.iter().enumerate() {
            let mut value = |i| edge.inputs.iter().find(|v| v.0 == i).map_or(0, |v| v.1);
            match machine.step(&mut state, edge.thread, &mut value) {
                Ok(_) => {}
                Err(crate::program::StepError::Internal(e)) => return Err(e.into()),
                Err(e) => unreachable!("the step is possible: {e}"),
            }
            if !locations(edge.thread)[edge.until].atomic {
                continue;
            }
            for (i, holds) in self.rules.invariants.iter().enumerate() {
                if self.found.invariants[i].is_none() && !holds(&state) {
                    let mut run = self.run_to(number);
                    run.extend_from_slice(&step.run[..=k]);
                    self.found.invariants[i] = Some(run);
                }
            }
        }
        Ok(())
    }

    /// Takes every allowed set of steps that begins with `chosen`; the other steps are of threads
    /// after those.
    fn combine(&mut self, around: Around<'_>, due: u64, chosen: &mut Vec<(usize, usize)>) {
        let all = around.all;
        let first = chosen.last().map_or(0, |c| c.0 + 1);
        let parallel = matches!(self.rules.moves, Moves::Parallel | Moves::Foata);
        if !parallel && !chosen.is_empty() {
            return;
        }
        for t in (first..all.len()).filter(|t| due >> t & 1 == 1) {
            for (k, step) in all[t].iter().enumerate().filter(|(_, s)| s.possible) {
                if chosen.iter().any(|&(u, j)| all[u][j].conflicts(step)) {
                    continue;
                }
                chosen.push((t, k));
                self.take(around, chosen);
                self.combine(around, due, chosen);
                chosen.pop();
            }
        }
    }

    fn take(&mut self, around: Around<'_>, chosen: &[(usize, usize)]) {
        let Around { number, all, .. } = around;
        self.found.transitions += 1;
        let mut state = self.queue[number].0.clone();
        let mut run = vec![];
        for &(t, k) in chosen {
            let step = &all[t][k];
            for &(v, _, new) in &step.changes {
                if step.adds.iter().all(|a| a.0 != v) {
                    state.set_value(v, new);
                }
            }
            for &(v, amount) in &step.adds {
                let width = self.rules.machine.program().vars[v].width;
                state.set_value(v, state.value(v).wrapping_add(amount) & mask(width));
            }
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
        let memory = self.remember(around, chosen);
        let depth = self.origins[number].depth + 1;
        self.add((state, memory), Origin { parent: Some(number), run, depth });
    }

    /// What is to be remembered after these steps.
    fn remember(&self, around: Around<'_>, chosen: &[(usize, usize)]) -> u64 {
        let Around { all, memory, set, .. } = around;
        let moved = |t: usize| chosen.iter().any(|c| c.0 == t);
        let touched = |t: usize| {
            let taken = chosen.iter().map(|&(u, k)| &all[u][k]);
            taken.into_iter().any(|a| a.section || all[t].iter().any(|b| a.conflicts(b)))
        };
        let threads = |chosen: &dyn Fn(usize) -> bool| {
            (0..all.len()).fold(0, |set, t| set | u64::from(chosen(t)) << t)
        };
        let (last, _) = chosen[0];
        match self.rules.moves {
            Moves::Single | Moves::Parallel => 0,
            Moves::Foata => threads(&|t| moved(t) || touched(t)),
            Moves::Peephole => threads(&|t| t < last && !touched(t)),
            Moves::Sleep => threads(&|t| {
                let left = memory >> t & 1 == 1 || (set >> t & 1 == 1 && t < last);
                let enabled = all[t].iter().any(|s| s.possible);
                left && enabled && !moved(t) && !touched(t)
            }),
            Moves::Bounded(_) => {
                let (before, left) = (memory & 0xff, memory >> 8);
                let now = last as u64 + 1;
                let switched = before != 0 && before != now;
                now | (left - u64::from(switched)) << 8
            }
        }
    }
}

/// What is around a move.
#[derive(Clone, Copy)]
struct Around<'a> {
    number: usize,
    all: &'a [Vec<Step>],
    memory: u64,
    /// The stubborn set.
    set: u64,
}

fn next_accesses(stubborn: &Stubborn<'_, '_>, state: &State, t: ThreadId, steps: &[Step]) -> Next {
    let enabled = steps.iter().any(|s| s.possible);
    let footprints: Vec<_> = steps
        .iter()
        .map(|s| (s.edge, s.footprint.reads.clone(), s.footprint.writes.clone()))
        .collect();
    stubborn.next(state, t, enabled, &footprints)
}
