//! Bounded model checking (Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs,
//! TACAS 1999), incremental over the frames, with constants and structure shared across frames.
//!
//! Frame by frame the solver is asked for a run that reaches one of the open properties; every
//! frame before the last must move (see the [module's documentation](super)). When no run has
//! another move, what is still open is safe.
//!
//! The solver is not asked about bad states that are too near to be reached by what small
//! [words](super::values) of latches can hold, and what these never allow is safe at once.

use super::cnf::Encoder;
use super::unroll::Unroller;
use super::values::Values;
use super::{Capabilities, Engine, FrameReport, Problem, Progress};
use crate::aig::{Lit, run};
use crate::base::{Budget, Stop};
use crate::outcome::{Certificate, Reason, Trace, Verdict};
use crate::sat::{Answer, Backend, Solver};

/// Options of [`Bmc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BmcOptions {
    /// The last frame to look at, 0 being the first; `None`: no bound.
    pub max_depth: Option<usize>,
    /// Stop at the first frame with a violation. The properties that are not violated in it stay
    /// unknown.
    pub first: bool,
    /// Pursue the implicit properties even when all that the user asked about are violated.
    pub exhaustive: bool,
    /// Leave out frames that are too early by the values of small words.
    pub values: bool,
    /// The SAT solver.
    pub backend: Backend,
}

impl Default for BmcOptions {
    fn default() -> Self {
        Self {
            max_depth: None,
            first: false,
            exhaustive: false,
            values: true,
            backend: Backend::default(),
        }
    }
}

/// Bounded model checking.
#[derive(Clone, Debug, Default)]
pub struct Bmc(pub BmcOptions);

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn description(&self) -> &'static str {
        "bounded model checking; proves circuits whose runs end"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: false,
            shortest: true,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let mut search = Search::new(problem, &self.0, budget);
        let mut open: Vec<usize> = search.open().collect();
        let rest = loop {
            progress.frame(&search.report(self.name()));
            let step = search.frame();
            open.retain(|&k| match &search.verdicts[k] {
                Some(verdict) => {
                    progress.decided(k, verdict);
                    false
                }
                None => true,
            });
            search.leave_closed(progress);
            open.retain(|&k| search.verdicts[k].is_none());
            match step {
                Step::Next => search.advance(),
                Step::End(rest) => break rest,
            }
        };
        search.verdicts.into_iter().map(|v| v.unwrap_or_else(|| rest.clone())).collect()
    }
}

/// What follows a frame.
pub(super) enum Step {
    /// The next frame.
    Next,
    /// The search ends; this is the verdict on the properties that are still open.
    End(Verdict),
}

/// A search that has looked at some frames.
pub(super) struct Search<'a> {
    problem: &'a Problem<'a>,
    options: &'a BmcOptions,
    budget: &'a Budget,
    unroller: Unroller<'a>,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// What words can hold in the current frame, as long as that excludes something.
    values: Option<Values<'a>>,
    /// Position of the current frame, 0 for the first.
    pub(super) depth: usize,
    /// In the order of `problem.bads`; `None` while open.
    pub(super) verdicts: Vec<Option<Verdict>>,
    /// Whether clauses were added since the solver last had a model of all of them.
    doubtful: bool,
    /// Whether the clauses are known to be inconsistent: no run is as long.
    over: bool,
}

impl<'a> Search<'a> {
    /// A search that looks at the first frame next.
    pub(super) fn new(
        problem: &'a Problem<'a>,
        options: &'a BmcOptions,
        budget: &'a Budget,
    ) -> Self {
        Self {
            unroller: Unroller::new(problem.aig, &problem.roots()),
            encoder: Encoder::default(),
            solver: options.backend.solver(),
            values: options.values.then(|| Values::new(problem)),
            depth: 0,
            verdicts: vec![None; problem.bads.len()],
            doubtful: false,
            over: false,
            problem,
            options,
            budget,
        }
    }

    /// What to tell an observer.
    pub(super) fn report(&self, engine: &'static str) -> FrameReport {
        let stats = self.solver.stats();
        FrameReport {
            engine,
            depth: self.depth,
            open: self.open().count(),
            vars: stats.vars,
            clauses: stats.clauses,
            elapsed: self.budget.elapsed(),
        }
    }

    /// Positions in `problem.bads` of the properties that are not decided.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        self.verdicts.iter().enumerate().filter(|(_, v)| v.is_none()).map(|(k, _)| k)
    }

    /// Leaves open properties unknown about which somebody else has answered.
    pub(super) fn leave_closed(&mut self, progress: &dyn Progress) {
        for position in self.open().filter(|&k| progress.is_closed(k)).collect::<Vec<_>>() {
            let stop = Stop::Cancelled;
            let reason = Reason::Stopped { stop, depth: Some(self.depth + 1) };
            self.verdicts[position] = Some(Verdict::Unknown(reason));
        }
    }

    /// Decides all about the current frame.
    pub(super) fn frame(&mut self) -> Step {
        self.drop_constant_properties();
        if let Some(stop) = self.budget.check() {
            return self.stopped(stop, self.depth);
        }
        for constraint in &self.problem.aig.constraints {
            self.assert(constraint.value);
        }
        if let Err(stop) = self.exclude() {
            return self.stopped(stop, self.depth);
        }
        if let Some(stop) = self.violations() {
            return self.stopped(stop, self.depth);
        }
        let open = self.open().count();
        if self.options.first && self.problem.some_asked_violated(&self.verdicts) {
            return Step::End(Verdict::Unknown(Reason::FirstOnly(Some(self.depth))));
        }
        if open > 0 && !self.options.exhaustive && self.problem.all_asked_violated(&self.verdicts) {
            return Step::End(Verdict::Unknown(Reason::AllAskedViolated(Some(self.depth))));
        }
        if open > 0
            && let Some(stop) = self.another_move()
        {
            return self.stopped(stop, self.depth + 1);
        }
        let depth = self.depth;
        if open == 0 || self.over {
            Step::End(Verdict::Safe(Certificate::Completeness { depth }))
        } else if self.options.max_depth == Some(depth) {
            Step::End(Verdict::Unknown(Reason::Depth(depth)))
        } else {
            match self.values.as_mut().map_or(Ok(()), |v| v.advance(self.budget)) {
                Ok(()) => Step::Next,
                Err(stop) => self.stopped(stop, self.depth + 1),
            }
        }
    }

    /// Finds out which bad states the values of words exclude, for now or for ever.
    fn exclude(&mut self) -> Result<(), Stop> {
        let Some(values) = &mut self.values else { return Ok(()) };
        let bads = self.problem.bads.iter().zip(&mut self.verdicts);
        let open: Vec<usize> = bads.filter(|(_, v)| v.is_none()).map(|(&b, _)| b).collect();
        values.look(|bad| open.contains(&bad), self.budget)?;
        if let Some(clauses) = values.invariant() {
            for (bad, verdict) in self.problem.bads.iter().zip(&mut self.verdicts) {
                if verdict.is_none() && values.excludes(*bad) {
                    let clauses = clauses.clone();
                    *verdict = Some(Verdict::Safe(Certificate::Invariant { clauses }));
                }
            }
            self.values = None;
        }
        self.values.take_if(|v| v.is_done());
        Ok(())
    }

    /// Positions in `problem.bads` of the open properties that are not excluded.
    fn possible(&self) -> Vec<usize> {
        let excluded =
            |k: usize| self.values.as_ref().is_some_and(|v| v.excludes(self.problem.bads[k]));
        self.open().filter(|&k| !excluded(k)).collect()
    }

    /// The end by a limit, when this many frames are clean.
    pub(super) fn stopped(&self, stop: Stop, clean: usize) -> Step {
        let depth = (clean > 0).then_some(clean);
        Step::End(Verdict::Unknown(Reason::Stopped { stop, depth }))
    }

    /// Goes to the next frame.
    pub(super) fn advance(&mut self) {
        let values = self.values.as_ref();
        self.unroller.advance(|latch| values.and_then(|v| v.constant(latch)));
        self.depth += 1;
    }

    /// Those that the circuit's construction has already found false.
    fn drop_constant_properties(&mut self) {
        for (verdict, &bad) in self.verdicts.iter_mut().zip(&self.problem.bads) {
            if verdict.is_none() && self.problem.aig.bads[bad].value == Lit::FALSE {
                *verdict = Some(Verdict::Safe(Certificate::Trivial));
            }
        }
    }

    /// Demands a literal of the circuit in the current frame.
    fn assert(&mut self, lit: Lit) {
        match self.unroller.lit(lit) {
            Lit::TRUE => {}
            Lit::FALSE => self.over = true,
            lit => {
                let lit = self.encoder.lit(&self.unroller.graph, &mut *self.solver, lit);
                self.solver.add_clause(&[lit]);
                self.doubtful = true;
            }
        }
    }

    /// Finds a violation of each property that is violated in the current frame.
    fn violations(&mut self) -> Option<Stop> {
        while !self.over {
            let lits: Vec<Lit> = self
                .possible()
                .into_iter()
                .map(|k| self.unroller.lit(self.problem.aig.bads[self.problem.bads[k]].value))
                .collect();
            let goal = self.unroller.graph.or_all(lits);
            if goal == Lit::FALSE {
                break;
            }
            let assumption = (goal != Lit::TRUE)
                .then(|| self.encoder.lit(&self.unroller.graph, &mut *self.solver, goal));
            match self.solver.solve(assumption.as_slice(), self.budget) {
                Answer::Sat => {
                    self.doubtful = false;
                    self.record();
                }
                Answer::Unsat => {
                    match assumption {
                        Some(goal) if self.solver.failed(goal) => self.solver.add_clause(&[!goal]),
                        _ => self.over = true,
                    }
                    break;
                }
                Answer::Unknown(stop) => return Some(stop),
            }
        }
        None
    }

    /// Stores the run of the solver's model as the violation of every open property that it
    /// violates.
    fn record(&mut self) {
        let value = |lit: Lit| self.encoder.known(lit).is_some_and(|lit| self.solver.value(lit));
        let (initial, inputs) = self.unroller.run(value);
        let frames = run(self.problem.aig, &initial, &inputs);
        let last = frames.last().expect("a run has a frame");
        let mut found = false;
        for (verdict, &bad) in self.verdicts.iter_mut().zip(&self.problem.bads) {
            if verdict.is_none() && last.bads[bad] {
                let (initial, inputs) = (initial.clone(), inputs.clone());
                *verdict = Some(Verdict::Unsafe(Trace { bad, initial, inputs }));
                found = true;
            }
        }
        assert!(found, "the solver's model is no violation in the circuit");
    }

    /// Demands that the current frame moves, and finds out whether one can; not as long as all
    /// properties are excluded.
    fn another_move(&mut self) -> Option<Stop> {
        if let Some(moved) = self.problem.moved {
            self.assert(moved);
        }
        if self.doubtful && !self.over && !self.possible().is_empty() {
            match self.solver.solve(&[], self.budget) {
                Answer::Sat => self.doubtful = false,
                Answer::Unsat => self.over = true,
                Answer::Unknown(stop) => return Some(stop),
            }
        }
        None
    }
}
