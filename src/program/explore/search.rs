//! Breadth-first search.

use super::pack::Layout;
use super::reduction::{Full, Reduction};
use super::report::{Exploration, ExploreError, Incomplete, Run, RunStep, Terminal, Terminals};
use super::visited::{Visited, VisitedKind};
use crate::base::{Budget, Id, IndexVec};
use crate::expr::mask;
use crate::program::interp::{Change, Choice};
use crate::program::{InputId, InternalError, LocId, Machine, SiteId, State, StepError, ThreadId};

/// Options of the explorer.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// How visited states are remembered.
    pub visited: VisitedKind,
    /// Largest number of states; `None` for no limit but the budget.
    pub max_states: Option<usize>,
    /// Most bits of input that one edge may read, at most 30.
    pub input_bits: u32,
    /// Whether a step goes on over the edges after its first that concern no other thread (see
    /// [`Machine::is_local`]): the same violated sites, fewer states. States that lie inside of a
    /// step are not seen: they differ in one thread's own variables and location only, but are
    /// missing among the terminal states that another thread causes by stopping inside an atomic
    /// section. A run may then pass over sites of other threads before the one that it is for.
    pub local_merge: bool,
    /// Counts the runs that end. Not for [`Explorer`].
    pub paths: bool,
    /// How often another thread may go on; `None` for no limit. Not for [`Explorer`].
    pub context_bound: Option<u32>,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self {
            visited: VisitedKind::Exact,
            max_states: None,
            input_bits: 8,
            local_merge: false,
            paths: false,
            context_bound: None,
        }
    }
}

/// Whether something holds in a state.
type Invariant<'a> = &'a dyn Fn(&State) -> bool;
/// What wants to see each state.
type Visit<'a> = &'a mut dyn FnMut(&State, Option<Terminal>);

/// An exploration to be run.
pub struct Explorer<'a, 'p> {
    machine: &'a Machine<'p>,
    options: ExploreOptions,
    invariants: Vec<Invariant<'a>>,
    visit: Option<Visit<'a>>,
    reduction: Option<&'a mut dyn Reduction>,
}

impl<'a, 'p> Explorer<'a, 'p> {
    /// An exploration without invariants and reduction.
    pub fn new(machine: &'a Machine<'p>, options: ExploreOptions) -> Self {
        Self { machine, options, invariants: vec![], visit: None, reduction: None }
    }

    /// Adds something that should hold in every state.
    #[must_use]
    pub fn invariant(mut self, holds: Invariant<'a>) -> Self {
        self.invariants.push(holds);
        self
    }

    /// Calls `visit` once with each state, in breadth-first order, and its kind if no thread can
    /// move.
    #[must_use]
    pub fn visit(mut self, visit: Visit<'a>) -> Self {
        self.visit = Some(visit);
        self
    }

    /// Follows only the threads that a reduction chooses.
    #[must_use]
    pub fn reduction(mut self, reduction: &'a mut dyn Reduction) -> Self {
        self.reduction = Some(reduction);
        self
    }

    /// Explores. What is found before the budget or a limit is reached is reported.
    ///
    /// # Errors
    /// If an edge chooses from too many values, or the program is wrong.
    pub fn run(self, budget: &Budget) -> Result<Exploration, ExploreError> {
        let mut full = Full;
        let stepper = Stepper { machine: self.machine, options: &self.options };
        let initial = self.machine.initial();
        let layout = Layout::new(self.machine.program());
        let start = layout.pack(&initial);
        let mut visited = Visited::new(self.options.visited);
        visited.insert(&start);
        let search = Search {
            stepper,
            visited,
            origins: vec![Origin { parent: 0, thread: ThreadId::new(0), choice: 0 }],
            here: start.clone(),
            next: start,
            layout,
            state: initial,
            changes: vec![],
            transitions: 0,
            sites: IndexVec::filled(None, self.machine.program().sites.len()),
            false_at: vec![None; self.invariants.len()],
            terminals: Terminals::default(),
            deadlock: None,
        };
        search.run(&self.invariants, self.visit, self.reduction.unwrap_or(&mut full), budget)
    }
}

/// How a state was reached first: by the move of a thread in an earlier state.
#[derive(Clone, Copy)]
struct Origin {
    /// Number of the earlier state.
    parent: u32,
    thread: ThreadId,
    /// The inputs of the first edge, side by side, the first one lowest.
    choice: u32,
}

/// Takes steps.
struct Stepper<'a, 'p> {
    machine: &'a Machine<'p>,
    options: &'a ExploreOptions,
}

impl Stepper<'_, '_> {
    /// Total width of an edge's inputs.
    fn input_bits(&self, choice: Choice<'_>) -> Result<u32, ExploreError> {
        let inputs = &self.machine.program().inputs;
        let list = choice.inputs();
        let bits = list.iter().map(|&i| inputs[i].width).sum();
        let limit = self.options.input_bits.min(30);
        match list.iter().copied().max_by_key(|&i| inputs[i].width) {
            Some(input) if bits > limit => {
                let name = inputs[input].name.clone();
                Err(ExploreError::InputTooWide { input, name, bits, limit })
            }
            _ => Ok(bits),
        }
    }

    /// The values of an edge's inputs.
    fn decode(&self, choice: Choice<'_>, mut code: u32) -> Vec<(InputId, u128)> {
        let inputs = &self.machine.program().inputs;
        let mut values = vec![];
        for &i in choice.inputs() {
            let width = inputs[i].width;
            values.push((i, u128::from(code) & mask(width)));
            code = code.checked_shr(width).unwrap_or(0);
        }
        values
    }

    /// Takes a step in `state`: an edge with these inputs and, where edges are merged, the local
    /// ones after it. Appends what is written, and calls `edge` after each edge. The site violated by
    /// the last edge, if one is.
    fn step(
        &self,
        state: &mut State,
        thread: ThreadId,
        first: Choice<'_>,
        inputs: &[(InputId, u128)],
        changes: &mut Vec<Change>,
        mut edge: impl FnMut(&State),
    ) -> Result<Option<SiteId>, InternalError> {
        let mut passed: Vec<LocId> = vec![];
        let mut choice = first;
        loop {
            if self.options.local_merge {
                passed.push(state.loc(thread));
            }
            let mut value = |i| {
                let known = inputs.iter().find(|(input, _)| *input == i);
                known.expect("only the first edge has inputs, and all are listed").1
            };
            match self.machine.fire(state, thread, choice, &mut value, changes) {
                Ok(()) => edge(state),
                Err(StepError::Internal(e)) => return Err(e),
                Err(e) => unreachable!("the edge is enabled and its inputs are in range: {e}"),
            }
            // A loop is cut where it closes, so that a step always ends.
            let over = choice.site().is_some()
                || !self.options.local_merge
                || !self.machine.is_local(state, thread)
                || passed.contains(&state.loc(thread));
            if over {
                return Ok(choice.site());
            }
            match self.machine.choice(state, thread)? {
                Some(next) => choice = next,
                None => return Ok(None),
            }
        }
    }
}

struct Search<'a, 'p> {
    stepper: Stepper<'a, 'p>,
    layout: Layout,
    visited: Visited,
    /// One for each state, in the order in which they were found.
    origins: Vec<Origin>,
    /// The state that is expanded, packed and not.
    here: Vec<u64>,
    state: State,
    /// A successor of it, packed.
    next: Vec<u64>,
    changes: Vec<Change>,
    transitions: usize,
    /// The first step that violates each site.
    sites: IndexVec<SiteId, Option<Origin>>,
    /// The first state in which each invariant is false.
    false_at: Vec<Option<u32>>,
    terminals: Terminals,
    /// The first deadlock.
    deadlock: Option<u32>,
}

impl Search<'_, '_> {
    fn run(
        mut self,
        invariants: &[Invariant<'_>],
        mut visit: Option<Visit<'_>>,
        reduction: &mut dyn Reduction,
        budget: &Budget,
    ) -> Result<Exploration, ExploreError> {
        let machine = self.stepper.machine;
        let (mut enabled, mut chosen) = (vec![], vec![]);
        let (mut number, mut depth, mut level_end) = (0u32, 0, 1);
        let mut incomplete = None;
        while self.visited.next(&mut self.here) {
            if number.is_multiple_of(256)
                && let Some(stop) = budget.check()
            {
                incomplete = Some(Incomplete::Stopped(stop));
                break;
            }
            if number as usize == level_end {
                depth += 1;
                level_end = self.origins.len();
            }
            self.layout.unpack(&self.here, &mut self.state);
            enabled.clear();
            for t in machine.program().threads.ids() {
                if machine.choice(&self.state, t)?.is_some() {
                    enabled.push(t);
                }
            }
            self.look(number, enabled.is_empty(), invariants, &mut visit);
            chosen.clear();
            if !enabled.is_empty() {
                reduction.choose(machine, &self.state, &enabled, &mut chosen);
            }
            for &t in &chosen {
                self.expand(number, t)?;
            }
            if let Some(max) = self.stepper.options.max_states
                && self.visited.len() > max
            {
                incomplete = Some(Incomplete::MaxStates(max));
                break;
            }
            number += 1;
        }
        self.report(depth, incomplete)
    }

    /// Checks what is to be checked in the current state.
    fn look(
        &mut self,
        number: u32,
        is_terminal: bool,
        invariants: &[Invariant<'_>],
        visit: &mut Option<Visit<'_>>,
    ) {
        let program = self.stepper.machine.program();
        let terminal = is_terminal.then(|| Terminal::of(program, &self.state));
        if let Some(kind) = terminal {
            self.terminals.count(kind);
            if kind == Terminal::Deadlock {
                self.deadlock.get_or_insert(number);
            }
        }
        for (holds, first) in invariants.iter().zip(&mut self.false_at) {
            if first.is_none() && !holds(&self.state) {
                *first = Some(number);
            }
        }
        if let Some(visit) = visit {
            visit(&self.state, terminal);
        }
    }

    /// Takes all steps of an enabled thread from the current state, and comes back to it.
    fn expand(&mut self, parent: u32, thread: ThreadId) -> Result<(), ExploreError> {
        let machine = self.stepper.machine;
        let first = machine.choice(&self.state, thread)?.expect("only enabled threads are chosen");
        let from = self.state.loc(thread);
        for code in 0..1u32 << self.stepper.input_bits(first)? {
            let origin = Origin { parent, thread, choice: code };
            let inputs = self.stepper.decode(first, code);
            self.changes.clear();
            let site = self.stepper.step(
                &mut self.state,
                thread,
                first,
                &inputs,
                &mut self.changes,
                |_| {},
            )?;
            self.transitions += 1;
            self.next.copy_from_slice(&self.here);
            for &(v, _, new) in &self.changes {
                self.layout.set_value(&mut self.next, v, new);
            }
            self.layout.set_loc(&mut self.next, thread, self.state.loc(thread));
            if self.visited.insert(&self.next) {
                self.origins.push(origin);
            }
            if let Some(site) = site {
                self.sites[site].get_or_insert(origin);
            }
            for &(v, old, _) in self.changes.iter().rev() {
                self.state.set_value(v, old);
            }
            self.state.set_loc(thread, from);
        }
        Ok(())
    }

    fn report(
        self,
        depth: usize,
        incomplete: Option<Incomplete>,
    ) -> Result<Exploration, ExploreError> {
        let violating = |origin: &Option<Origin>| {
            origin.map(|last| self.run_of(self.path(last.parent).chain([last]))).transpose()
        };
        let reaching =
            |number: &Option<u32>| number.map(|number| self.run_of(self.path(number))).transpose();
        Ok(Exploration {
            states: self.visited.len(),
            transitions: self.transitions,
            depth,
            sites: self.sites.iter().map(violating).collect::<Result<_, _>>()?,
            invariants: self.false_at.iter().map(reaching).collect::<Result<_, _>>()?,
            terminals: self.terminals,
            deadlock: reaching(&self.deadlock)?,
            paths: None,
            incomplete,
        })
    }

    /// The steps from the start to a state.
    fn path(&self, mut number: u32) -> impl Iterator<Item = Origin> + use<> {
        let mut steps = vec![];
        while number != 0 {
            let origin = self.origins[number as usize];
            steps.push(origin);
            number = origin.parent;
        }
        steps.into_iter().rev()
    }

    /// The edges of these steps, found by taking them again.
    fn run_of(&self, steps: impl Iterator<Item = Origin>) -> Result<Run, InternalError> {
        let machine = self.stepper.machine;
        let mut state = machine.initial();
        let mut run = vec![];
        for Origin { thread, choice, .. } in steps {
            let first = machine.choice(&state, thread)?.expect("the step was taken before");
            let mut inputs = self.stepper.decode(first, choice);
            let known = inputs.clone();
            self.stepper.step(&mut state, thread, first, &known, &mut vec![], |after| {
                let inputs = std::mem::take(&mut inputs);
                run.push(RunStep { thread, inputs, until: after.loc(thread) });
            })?;
        }
        Ok(run)
    }
}
