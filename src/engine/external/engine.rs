//! The engine: which questions are put to the tool, and what becomes of its answers.

use std::sync::Arc;
use std::time::Duration;

use super::method::{Claim, Grounds, Method};
use super::model::Model;
use super::process::{End, Job, Limits, run};
use super::tool::Tool;
use crate::aig::{Lit, run as simulate};
use crate::base::{Budget, Stop};
use crate::engine::{Capabilities, Engine, Problem, Progress};
use crate::outcome::{Certificate, Reason, Trace, Verdict};

/// Options of [`External`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalOptions {
    /// Stop after the first violation.
    pub first: bool,
    /// Pursue the implicit properties even when all that the user asked about are violated.
    pub exhaustive: bool,
}

/// A tool of somebody else, driven in one way.
///
/// All open properties are asked about at once (is one of them violated?) as long as that has an
/// answer, and then one by one. Of limited time the questions about all get half.
#[derive(Clone, Debug)]
pub struct External {
    /// The tool.
    pub tool: Tool,
    /// How it is driven; [`Method::tool`] is the tool's kind.
    pub method: Method,
    /// Options.
    pub options: ExternalOptions,
}

impl Engine for External {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn description(&self) -> &'static str {
        self.method.description()
    }

    fn capabilities(&self) -> Capabilities {
        self.method.capabilities()
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let mut session = Session::new(self, problem, budget);
        session.together(progress);
        session.one_by_one(progress);
        let unknown = || Verdict::Unknown(Reason::Tool("not asked about".into()));
        session.verdicts.into_iter().map(|v| v.unwrap_or_else(unknown)).collect()
    }
}

/// Share of the remaining time for the questions about all open properties: one in this many.
const TOGETHER: u32 = 2;

/// Time that is not worth another run.
const LEAST: Duration = Duration::from_millis(50);

/// CPU seconds beyond the wall time that a run may have: it is a second line of defence.
const SPARE_CPU: u64 = 10;

struct Session<'a> {
    engine: &'a External,
    problem: &'a Problem<'a>,
    budget: &'a Budget,
    /// In the order of `problem.bads`; `None` while open.
    verdicts: Vec<Option<Verdict>>,
}

impl<'a> Session<'a> {
    fn new(engine: &'a External, problem: &'a Problem<'a>, budget: &'a Budget) -> Self {
        let trivial = |&bad: &usize| {
            let never = problem.aig.bads[bad].value == Lit::FALSE;
            never.then_some(Verdict::Safe(Certificate::Trivial))
        };
        let verdicts = problem.bads.iter().map(trivial).collect();
        Self { engine, problem, budget, verdicts }
    }

    /// Positions in `problem.bads`.
    fn open(&self) -> Vec<usize> {
        (0..self.verdicts.len()).filter(|&k| self.verdicts[k].is_none()).collect()
    }

    /// Asks about all open properties at once, until there is no answer.
    fn together(&mut self, progress: &mut dyn Progress) {
        let budget = match self.budget.remaining() {
            Some(time) => self.budget.shorter(time / TOGETHER),
            None => self.budget.clone(),
        };
        loop {
            let open = self.open();
            if open.len() < 2 || !self.ask(&open, &budget) {
                return;
            }
            self.tell(&open, progress);
        }
    }

    /// Asks about each open property; they share the remaining time. What is left over of one's
    /// share is for those that had not enough.
    fn one_by_one(&mut self, progress: &mut dyn Progress) {
        loop {
            let open = self.open();
            let mut slow = false;
            for (done, &k) in open.iter().enumerate() {
                if self.verdicts[k].is_some() {
                    continue;
                }
                let left = u32::try_from(open.len() - done).unwrap_or(u32::MAX);
                let budget = match self.budget.remaining() {
                    Some(time) => self.budget.shorter(time / left),
                    None => self.budget.clone(),
                };
                slow |= !self.ask(&[k], &budget);
                self.tell(&[k], progress);
            }
            let stop = self.budget.check().or_else(|| self.used_up());
            match stop {
                None if slow => {}
                Some(stop) => {
                    let unknown = Verdict::Unknown(Reason::Stopped { stop, depth: None });
                    return self.close(&self.open(), &unknown);
                }
                None => return,
            }
        }
    }

    /// The timeout, if what is left of the time is not worth another run.
    fn used_up(&self) -> Option<Stop> {
        let left = self.budget.remaining()?;
        (left < LEAST).then(|| Stop::Timeout(self.budget.timeout().unwrap_or_default()))
    }

    /// Asks whether one of these properties is violated. False if there is no answer; a single
    /// property is closed then, unless its time was only a share.
    fn ask(&mut self, group: &[usize], budget: &Budget) -> bool {
        match self.answer(group, budget) {
            Answer::Safe(certificate) => self.close(group, &Verdict::Safe(certificate)),
            Answer::Unsafe(initial, inputs) => self.violated(group, &initial, &inputs),
            Answer::Unknown(reason) => {
                match (group, &reason) {
                    (_, Reason::Stopped { .. }) => {}
                    (&[k], _) => self.close(&[k], &Verdict::Unknown(reason)),
                    _ => {}
                }
                return false;
            }
        }
        true
    }

    /// One run of the tool.
    fn answer(&self, group: &[usize], budget: &Budget) -> Answer {
        let method = self.engine.method;
        let tool =
            |what: String| Answer::Unknown(Reason::Tool(format!("{}: {what}", method.name())));
        let directory = match tempfile::tempdir() {
            Ok(directory) => directory,
            Err(e) => return tool(format!("no temporary directory: {e}")),
        };
        let model = Model::new(self.problem, group, method.only_moves());
        let arguments = match method.prepare(&model.aig, directory.path()) {
            Ok(arguments) => arguments,
            Err(e) => return tool(format!("the model cannot be written: {e}")),
        };
        let job = Job {
            program: self.engine.tool.path.clone(),
            arguments,
            directory: directory.path().to_owned(),
            limits: limits(budget),
        };
        let finished = run(&job, budget);
        if let End::Stopped(stop) = finished.end {
            return Answer::Unknown(Reason::Stopped { stop, depth: None });
        }
        match method.claim(&model.aig, &finished, directory.path()) {
            Err(what) => tool(what),
            Ok(Claim::Unknown(what)) => tool(what),
            Ok(Claim::Safe(_)) if method.only_moves() => tool("undecided".into()),
            Ok(Claim::Safe(Grounds::None)) => Answer::Safe(Certificate::Claim),
            Ok(Claim::Safe(Grounds::Circuit(invariant))) => {
                let invariant = Arc::new(model.circuit(&invariant));
                Answer::Safe(Certificate::Circuit { invariant })
            }
            Ok(Claim::Safe(Grounds::Clauses(clauses))) => match model.clauses(&clauses) {
                Some(clauses) => Answer::Safe(Certificate::Invariant { clauses }),
                None => tool("the invariant is about latches that there are not".into()),
            },
            Ok(Claim::Unsafe(trace)) => match self.confirmed(group, &model, &trace) {
                Some((initial, inputs)) => Answer::Unsafe(initial, inputs),
                None => tool("the counterexample is none in the circuit".into()),
            },
        }
    }

    /// The counterexample as a run of the circuit, if it is one that violates a property of the
    /// group.
    fn confirmed(
        &self,
        group: &[usize],
        model: &Model,
        trace: &Trace,
    ) -> Option<(Vec<bool>, Vec<Vec<bool>>)> {
        let (initial, inputs) = model.run(&trace.initial, &trace.inputs)?;
        let frames = simulate(self.problem.aig, &initial, &inputs);
        let legal =
            self.problem.aig.bad_reset(&initial).is_none() && frames.iter().all(|f| f.legal());
        let last = frames.last()?;
        let violates = group.iter().any(|&k| last.bads[self.problem.bads[k]]);
        (legal && violates).then_some((initial, inputs))
    }

    /// Stores the run as the violation of all properties of the group that its last frame
    /// violates.
    fn violated(&mut self, group: &[usize], initial: &[bool], inputs: &[Vec<bool>]) {
        let frames = simulate(self.problem.aig, initial, inputs);
        let last = frames.last().expect("a run has a frame");
        for &k in group {
            let bad = self.problem.bads[k];
            if last.bads[bad] {
                let (initial, inputs) = (initial.to_vec(), inputs.to_vec());
                self.verdicts[k] = Some(Verdict::Unsafe(Trace { bad, initial, inputs }));
            }
        }
        let depth = self.engine.capabilities().shortest.then_some(inputs.len() - 1);
        if self.engine.options.first && self.problem.some_asked_violated(&self.verdicts) {
            self.close(&self.open(), &Verdict::Unknown(Reason::FirstOnly(depth)));
        } else if !self.engine.options.exhaustive && self.problem.all_asked_violated(&self.verdicts)
        {
            self.close(&self.open(), &Verdict::Unknown(Reason::AllAskedViolated(depth)));
        }
    }

    /// Tells which of these properties are decided.
    fn tell(&self, group: &[usize], progress: &mut dyn Progress) {
        for &k in group {
            if let Some(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_))) = &self.verdicts[k] {
                progress.decided(k, verdict);
            }
        }
    }

    fn close(&mut self, group: &[usize], verdict: &Verdict) {
        for &k in group {
            self.verdicts[k] = Some(verdict.clone());
        }
    }
}

/// What a run comes to.
enum Answer {
    Safe(Certificate),
    /// A run of the problem's circuit, simulated.
    Unsafe(Vec<bool>, Vec<Vec<bool>>),
    Unknown(Reason),
}

/// The budget ends the run by wall time and cancellation; the system by CPU time and memory.
fn limits(budget: &Budget) -> Limits {
    let seconds = |t: Duration| t.as_secs() + SPARE_CPU;
    Limits {
        wall: None,
        cpu: budget.remaining().map(seconds),
        memory_mb: budget.memory_mb(),
        ..Limits::default()
    }
}
