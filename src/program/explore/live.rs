//! Runs that go on for ever, for temporal formulas.
//!
//! A [`StateGraph`] has the states that are seen between edges, apart from those inside atomic
//! sections, and the moves between them. A run ends by staying where nothing can move: that is a
//! move, too. With the end of the process nothing can move. Runs in which an `assume` is false,
//! the program has no meaning, or a bound of the model is reached are left out.
//!
//! With [stubborn sets](Stubborn) that are [live](super::StubbornRules::are_live), only some of the
//! moves are followed; a formula without `X` is violated by a run of those if by any.

use crate::base::{Budget, HashMap, HashSet, Id};
use crate::expr::mask;
use crate::ltl::{Arc, Automaton, Due, FormulaId, Formulas, Marks, Path, Requirement, fair_lasso};
use crate::program::interp::{Choice, Footprint};
use crate::program::{
    InputId, LocId, LocKind, Machine, SiteKind, State, StepError, Sync, Thread, ThreadId,
};

use super::pack::Layout;
use super::report::{ExploreError, Incomplete, Run, RunStep};
use super::stubborn::{Next, Stubborn};

/// Options of [`StateGraph::build`].
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// Largest number of states; `None` for no limit but the budget.
    pub max_states: Option<usize>,
    /// Most bits of input that one edge may read, at most 30.
    pub input_bits: u32,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { max_states: None, input_bits: 8 }
    }
}

/// A way from one state to the next.
#[derive(Clone, Debug)]
struct Move {
    to: usize,
    /// Who moves; none where nothing can.
    thread: Option<ThreadId>,
    run: Run,
}

/// A seen state.
#[derive(Clone, Debug)]
struct Seen {
    state: State,
    moves: Vec<Move>,
    /// By thread: whether it can move, and whether it then takes a lock.
    enabled: Vec<(bool, bool)>,
}

/// The states of a program and its moves.
#[derive(Clone, Debug)]
pub struct StateGraph {
    nodes: Vec<Seen>,
    /// Why some are missing.
    pub incomplete: Option<Incomplete>,
}

/// Which runs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FairRuns {
    /// A thread that can move from some time on moves infinitely often.
    pub threads: bool,
    /// A thread that infinitely often could take the lock that it waits for takes locks
    /// infinitely often.
    pub locks: bool,
}

/// Whether the thread takes a lock where it is, and may have to wait for it.
pub fn waits_for_lock(thread: &Thread, loc: LocId) -> bool {
    let takes = |sync| matches!(sync, Sync::Lock | Sync::ReadLock | Sync::Take);
    thread.locations[loc].blocking && thread.edges_from(loc).any(|(_, e)| takes(e.sync))
}

impl StateGraph {
    /// Enumerates all states, or those that stubborn sets leave.
    ///
    /// # Errors
    /// If an edge chooses from too many values, an atomic section may not end, or the program is
    /// wrong.
    pub fn build(
        machine: &Machine<'_>,
        options: &GraphOptions,
        stubborn: Option<&Stubborn<'_, '_>>,
        budget: &Budget,
    ) -> Result<Self, ExploreError> {
        let mut builder = Builder {
            machine,
            options,
            stubborn,
            layout: Layout::new(machine.program()),
            known: HashMap::default(),
            states: vec![],
        };
        builder.add(machine.initial());
        let mut graph = Self { nodes: vec![], incomplete: None };
        while let Some(state) = builder.states.get(graph.nodes.len()).cloned() {
            if let Some(stop) = budget.check() {
                graph.incomplete = Some(Incomplete::Stopped(stop));
                break;
            }
            if let Some(max) = options.max_states
                && builder.states.len() > max
            {
                graph.incomplete = Some(Incomplete::MaxStates(max));
                break;
            }
            graph.nodes.push(builder.expand(state, graph.nodes.len())?);
        }
        Ok(graph)
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no state; there always is one.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The state with this number, 0 for the first.
    pub fn state(&self, number: usize) -> &State {
        &self.nodes[number].state
    }

    /// Whether a thread can move in the state with this number.
    pub fn is_enabled(&self, number: usize, thread: ThreadId) -> bool {
        self.nodes[number].enabled[thread.index()].0
    }

    /// A run that satisfies the formula, which is in negation normal form: a stem and a cycle. `atom`
    /// tells what holds in the state with this number.
    ///
    /// # Errors
    /// If the formula has too many parts, or the program too many threads; or the reason, if the
    /// budget ends first.
    pub fn lasso<A: Copy + Eq + std::hash::Hash>(
        &self,
        formulas: &Formulas<A>,
        root: FormulaId,
        atom: &dyn Fn(A, usize) -> bool,
        fair: FairRuns,
        budget: &Budget,
    ) -> Result<Option<(Run, Run)>, LassoError> {
        let automaton = Automaton::new(formulas, root).ok_or(LassoError::TooManyMarks)?;
        let marks = MarkPlan::new(&automaton, self.nodes[0].enabled.len(), fair)?;
        let mut product = Product {
            nodes: vec![(0, automaton.start())],
            known: HashMap::default(),
            arcs: vec![],
            moves: vec![],
        };
        product.known.insert(product.nodes[0].clone(), 0);
        while let Some((state, due)) = product.nodes.get(product.arcs.len()).cloned() {
            if let Some(stop) = budget.check() {
                return Err(LassoError::Stopped(stop));
            }
            let (mut arcs, mut moves) = (vec![], vec![]);
            for step in automaton.steps(&due) {
                if !step.literals.iter().all(|&(a, value)| atom(a, state) == value) {
                    continue;
                }
                for (k, m) in self.nodes[state].moves.iter().enumerate() {
                    let to = product.number((m.to, step.next.clone()));
                    let marks = Marks::from(step.marks) | marks.of(&self.nodes[state], m);
                    arcs.push(Arc { to, marks });
                    moves.push(k);
                }
            }
            product.arcs.push(arcs);
            product.moves.push(moves);
        }
        let found = fair_lasso(&product.arcs, &marks.requirement);
        Ok(found.map(|(stem, cycle)| {
            let run = |path: &Path| -> Run {
                let steps = path.iter().flat_map(|&(node, arc)| {
                    let taken = &self.nodes[product.nodes[node].0].moves[product.moves[node][arc]];
                    taken.run.iter().cloned()
                });
                steps.collect()
            };
            (run(&stem), run(&cycle))
        }))
    }
}

/// Why there is no answer about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoError {
    /// More than 128 things must happen infinitely often.
    TooManyMarks,
    /// The budget is used up.
    Stopped(crate::base::Stop),
}

/// States of the program together with those of the automaton.
struct Product {
    nodes: Vec<(usize, Due)>,
    known: HashMap<(usize, Due), usize>,
    arcs: Vec<Vec<Arc>>,
    /// For each arc, which move of the program it is.
    moves: Vec<Vec<usize>>,
}

impl Product {
    fn number(&mut self, node: (usize, Due)) -> usize {
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() - 1
        })
    }
}

/// Which mark says what.
struct MarkPlan {
    requirement: Requirement,
    /// For each thread: that it moves or cannot; that it could take a lock; that it takes one.
    threads: Vec<[Marks; 3]>,
}

impl MarkPlan {
    fn new<A: Copy + Eq + std::hash::Hash>(
        automaton: &Automaton<'_, A>,
        threads: usize,
        fair: FairRuns,
    ) -> Result<Self, LassoError> {
        let own = automaton.marks();
        let mut requirement = Requirement { often: Marks::from(own), pairs: vec![] };
        let mut used = own.count_ones();
        let mut fresh = |wanted: bool| match (wanted, used) {
            (false, _) => Ok(0),
            (true, 128) => Err(LassoError::TooManyMarks),
            (true, _) => {
                used += 1;
                Ok(1 << (used - 1))
            }
        };
        let mut list = vec![];
        for _ in 0..threads {
            let marks = [fresh(fair.threads)?, fresh(fair.locks)?, fresh(fair.locks)?];
            requirement.often |= marks[0];
            if fair.locks {
                requirement.pairs.push((marks[1], marks[2]));
            }
            list.push(marks);
        }
        Ok(Self { requirement, threads: list })
    }

    fn of(&self, from: &Seen, taken: &Move) -> Marks {
        let mut seen = 0;
        for (t, marks) in self.threads.iter().enumerate() {
            let (can_move, takes) = from.enabled[t];
            let moves = taken.thread.is_some_and(|m| m.index() == t);
            let holds = [!can_move || moves, takes, takes && moves];
            seen |= marks.iter().zip(holds).filter(|(_, h)| *h).fold(0, |seen, (m, _)| seen | m);
        }
        seen
    }
}

struct Builder<'a, 'p> {
    machine: &'a Machine<'p>,
    options: &'a GraphOptions,
    stubborn: Option<&'a Stubborn<'a, 'a>>,
    layout: Layout,
    known: HashMap<Vec<u64>, usize>,
    states: Vec<State>,
}

impl Builder<'_, '_> {
    fn add(&mut self, state: State) -> usize {
        let states = &mut self.states;
        *self.known.entry(self.layout.pack(&state)).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    }

    fn kind(&self, state: &State, t: ThreadId) -> LocKind {
        self.machine.program().threads[t].locations[state.loc(t)].kind
    }

    /// The moves from a state.
    fn expand(&mut self, state: State, number: usize) -> Result<Seen, ExploreError> {
        let program = self.machine.program();
        let over = program.threads.ids().any(|t| self.kind(&state, t) == LocKind::Stopped);
        let set = match self.stubborn {
            Some(stubborn) if !over => Some(self.chosen(stubborn, &state)?),
            _ => None,
        };
        let (mut moves, mut enabled) = (vec![], vec![]);
        for (t, thread) in program.threads.iter_enumerated() {
            let choice = if over { None } else { self.machine.choice(&state, t)? };
            let takes = choice.is_some() && waits_for_lock(thread, state.loc(t));
            enabled.push((choice.is_some(), takes));
            if choice.is_some() && set.is_none_or(|set| set >> t.index() & 1 == 1) {
                let mut open = HashSet::default();
                let mut ends = vec![];
                self.section(&state, t, &vec![], &mut open, &mut ends)?;
                for (end, run) in ends {
                    let to = self.add(end);
                    moves.push(Move { to, thread: Some(t), run });
                }
            }
        }
        if !enabled.iter().any(|e| e.0) {
            moves.push(Move { to: number, thread: None, run: vec![] });
        }
        Ok(Seen { state, moves, enabled })
    }

    /// The threads that need to move in a state, as a bit set.
    fn chosen(&self, stubborn: &Stubborn<'_, '_>, state: &State) -> Result<u64, ExploreError> {
        let mut next: Vec<Next> = vec![];
        for t in self.machine.program().threads.ids() {
            let choice = self.machine.choice(state, t)?;
            let mut footprints = vec![];
            let inputs = choice.map_or(Ok(vec![vec![]]), |c| self.inputs(c))?;
            for inputs in inputs {
                let mut found = Footprint::default();
                let mut value = |i| inputs.iter().find(|v| v.0 == i).expect("all are listed").1;
                self.machine.footprint(state, t, choice, &mut value, &mut found)?;
                footprints.push((choice.map(|c| c.edge()), found.reads, found.writes));
            }
            next.push(stubborn.next(state, t, choice.is_some(), &footprints));
        }
        Ok(stubborn.choose(state, &next))
    }

    /// Takes the thread's next edge in all ways, and goes on inside atomic sections. `open` are the
    /// states inside the section on the way here.
    fn section(
        &self,
        state: &State,
        t: ThreadId,
        run: &Run,
        open: &mut HashSet<Vec<u64>>,
        ends: &mut Vec<(State, Run)>,
    ) -> Result<(), ExploreError> {
        let program = self.machine.program();
        let key = self.layout.pack(state);
        if !open.insert(key.clone()) {
            return Err(ExploreError::EndlessSection(t));
        }
        let choice = self.machine.choice(state, t)?.ok_or(ExploreError::EndlessSection(t))?;
        for inputs in self.inputs(choice)? {
            let mut next = state.clone();
            let mut value = |i| inputs.iter().find(|v| v.0 == i).expect("all are listed").1;
            match self.machine.fire(&mut next, t, choice, &mut value, &mut vec![]) {
                Ok(()) => {}
                Err(StepError::Internal(e)) => return Err(e.into()),
                Err(e) => unreachable!("the edge is enabled and its inputs are in range: {e}"),
            }
            let counts = choice.site().is_none_or(|s| program.sites[s].kind == SiteKind::Assertion);
            let kind = self.kind(&next, t);
            if !counts || kind == LocKind::Discarded {
                continue;
            }
            let mut run = run.clone();
            run.push(RunStep { thread: t, inputs, until: next.loc(t) });
            let inside = program.threads[t].locations[next.loc(t)].atomic;
            if inside && kind == LocKind::Running {
                self.section(&next, t, &run, open, ends)?;
            } else {
                ends.push((next, run));
            }
        }
        open.remove(&key);
        Ok(())
    }

    /// All values of the edge's inputs.
    fn inputs(&self, choice: Choice<'_>) -> Result<Vec<Vec<(InputId, u128)>>, ExploreError> {
        let inputs = &self.machine.program().inputs;
        let list = choice.inputs();
        let bits: u32 = list.iter().map(|&i| inputs[i].width).sum();
        let limit = self.options.input_bits.min(30);
        if let Some(&input) = list.iter().max_by_key(|&&i| inputs[i].width)
            && bits > limit
        {
            let name = inputs[input].name.clone();
            return Err(ExploreError::InputTooWide { input, name, bits, limit });
        }
        let values = |code: u32| {
            let mut rest = code;
            let mut values = vec![];
            for &i in list {
                let width = inputs[i].width;
                values.push((i, u128::from(rest) & mask(width)));
                rest = rest.checked_shr(width).unwrap_or(0);
            }
            values
        };
        Ok((0..1 << bits).map(values).collect())
    }
}
