//! What engines are asked, and how they answer.

use std::time::Duration;

use super::bdd::Bdd;
use super::bmc::Bmc;
use super::ic3::Ic3;
use super::kind::Kind;
use super::sim::Sim;
use crate::aig::{Aig, Lit};
use crate::base::Budget;
use crate::outcome::Verdict;

/// Bad-state properties of a circuit.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The circuit.
    pub aig: &'a Aig,
    /// The properties asked about: positions in `aig.bads`, each at most once.
    pub bads: Vec<usize>,
    /// Those of `bads` that the user asked about; none means all. When each of them is violated
    /// an engine may leave the rest unknown ([`Reason::AllAskedViolated`]).
    ///
    /// [`Reason::AllAskedViolated`]: crate::outcome::Reason::AllAskedViolated
    pub asked: Vec<usize>,
    /// True in the frames that move; in all others every latch that a property, a constraint or
    /// this signal depends on keeps its value (see the module's documentation). `None`: unknown.
    pub moved: Option<Lit>,
    /// True in the states in which some input makes `moved` true (and meets the constraints).
    /// It must not be stronger: `moved` implies it. Serves the audit as a second opinion on when
    /// runs end.
    pub can_move: Option<Lit>,
    /// Signals that tell which part of the circuit moves, such as one for each thread: where one
    /// is true, few latches change. A hint only.
    pub parts: Vec<Lit>,
}

impl<'a> Problem<'a> {
    /// All bad-state properties of the circuit, without signals about moves.
    pub fn new(aig: &'a Aig) -> Self {
        Self {
            aig,
            bads: (0..aig.bads.len()).collect(),
            asked: vec![],
            moved: None,
            can_move: None,
            parts: vec![],
        }
    }

    /// Whether the user asked about some properties and all of them are violated, so that only
    /// implicit ones are open. `verdicts` has the order of `bads`.
    pub(super) fn all_asked_violated(&self, verdicts: &[Option<Verdict>]) -> bool {
        let violated = |v: &Option<Verdict>| matches!(v, Some(Verdict::Unsafe(_)));
        let mut all = self.bads.iter().zip(verdicts);
        !self.asked.is_empty() && all.all(|(bad, v)| violated(v) || !self.asked.contains(bad))
    }

    /// Whether a property is violated that the user asked about. `verdicts` has the order of
    /// `bads`.
    pub(super) fn some_asked_violated(&self, verdicts: &[Option<Verdict>]) -> bool {
        let violated = |v: &Option<Verdict>| matches!(v, Some(Verdict::Unsafe(_)));
        let mut all = self.bads.iter().zip(verdicts);
        all.any(|(bad, v)| violated(v) && self.asks(*bad))
    }

    /// Whether the user asked about this property of `bads`.
    pub fn asks(&self, bad: usize) -> bool {
        self.asked.is_empty() || self.asked.contains(&bad)
    }

    /// The literals that decide the answer: the properties asked about, the constraints and
    /// `moved`.
    pub(super) fn roots(&self) -> Vec<Lit> {
        let bads = self.bads.iter().map(|&b| self.aig.bads[b].value);
        let constraints = self.aig.constraints.iter().map(|c| c.value);
        bads.chain(constraints).chain(self.moved).collect()
    }
}

/// What an engine can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// It finds violations.
    pub refutes: bool,
    /// It proves circuits whose runs end.
    pub proves_terminating: bool,
    /// It proves circuits whose runs go on for ever.
    pub proves_looping: bool,
    /// Its violations are shortest ones.
    pub shortest: bool,
}

/// Progress of an engine at the start of a frame (or its like).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameReport {
    /// The engine's [`Engine::name`].
    pub engine: &'static str,
    /// Number of frames done.
    pub depth: usize,
    /// Number of properties not yet decided.
    pub open: usize,
    /// Variables of the solver.
    pub vars: usize,
    /// Clauses given to the solver.
    pub clauses: usize,
    /// Time on the budget's clock.
    pub elapsed: Duration,
}

/// Observes an engine; the default methods do nothing.
pub trait Progress {
    /// A frame starts.
    fn frame(&mut self, _report: &FrameReport) {}

    /// There is a verdict on the property at this position of `problem.bads`, safe or unsafe,
    /// before the engine is done. An engine need not tell; it returns the verdict in any case.
    fn decided(&mut self, _position: usize, _verdict: &Verdict) {}

    /// Whether somebody else has answered about the property at this position of `problem.bads`.
    /// An engine that asks may leave it unknown.
    fn is_closed(&self, _position: usize) -> bool {
        false
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// A decision procedure for bad-state properties.
pub trait Engine: Send + Sync {
    /// Its name on the command line and in verdicts; stable.
    fn name(&self) -> &'static str;

    /// One line about it.
    fn description(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// A verdict for each of `problem.bads`, in order. Stops soon after the budget's end.
    ///
    /// # Panics
    /// If a position in `problem.bads` is not one of `aig.bads`.
    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict>;
}

/// The engines that are part of the program, with default options, the preferred one first.
pub fn embedded() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Bmc::default()),
        Box::new(Ic3::default()),
        Box::new(Kind::default()),
        Box::new(Bdd::default()),
        Box::new(Sim::default()),
    ]
}
