//! The part of a question that one circuit answers: the properties that one reduction keeps.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::base::{Budget, Stop, with_deep_stack};
use crate::engine::certificate::witness_circuit;
use crate::engine::{FrameReport, Problem, Progress};
use crate::outcome::{Trace, Verdict};
use crate::portfolio::{Answer, Plan, solve};
use crate::program::Program;
use crate::property::{PropertyKind, Question};
use crate::report::{CircuitReport, Proof, Violation};
use crate::sched::Reduction;

use super::check::{CheckOptions, Outcome, bounded, confirm, outcome};
use super::circuit::{Circuit, CircuitOptions};
use super::error::DriverError;

/// Properties and the reduction of their circuit. Each part has the implicit properties, too, so
/// that its circuit is the one that is exported for its properties alone; the first one answers
/// about them.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The properties and their targets.
    pub question: Question,
    /// For each target, its position in the whole question.
    pub targets: Vec<usize>,
    /// Which interleavings the circuit leaves out.
    pub reduction: Reduction,
    /// Why it is not the one that was asked for, if it is not.
    pub reduction_off: Option<String>,
}

/// What is known of a part's targets.
pub(super) struct Answers {
    /// Position in the whole question, what is known, and who answered.
    pub outcomes: Vec<(usize, Outcome, Option<&'static str>)>,
    /// Proofs, if they were asked for.
    pub proofs: Vec<Proof>,
    /// Bad states of the circuit.
    pub bads: usize,
    /// The circuit and its engines.
    pub circuit: CircuitReport,
}

/// What all parts are solved with.
#[derive(Clone, Copy)]
pub(super) struct Circuits<'a> {
    pub program: &'a Program,
    pub options: &'a CheckOptions,
    pub plan: &'a Plan,
    pub budget: &'a Budget,
}

/// How a part is solved.
struct Solving<'a> {
    circuits: Circuits<'a>,
    /// The part answers about the implicit properties.
    implicit: bool,
    /// A property outside of the part needs the implicit ones to be proved.
    needs_implicit: bool,
}

impl Circuits<'_> {
    /// Solves the parts of a question side by side, so that none waits for another one's end. With
    /// [`Plan::first`] a violation in one of them ends the others.
    ///
    /// # Errors
    /// If an internal check fails.
    pub fn solve(
        &self,
        question: &Question,
        parts: &[Part],
        progress: &mut (dyn Progress + Send),
    ) -> Result<Vec<Answers>, DriverError> {
        let cancel = self.budget.cancel().child();
        let budget = self.budget.cancelled_by(cancel.clone());
        let shared = Mutex::new(progress);
        let one = |k: usize| {
            let circuits = Circuits { budget: &budget, ..*self };
            let implicit = k == 0;
            let needs_implicit = parts.len() > 1 || question.has_formulas();
            let how = Solving { circuits, implicit, needs_implicit };
            let result = parts[k].solve(&how, &mut Shared(&shared));
            let violated = |(target, o, _): &(usize, Outcome, _)| {
                let asked = !question.targets[*target].property.is_implicit();
                asked && matches!(o, Outcome::Unsafe(_))
            };
            let ends = match &result {
                Ok(answers) => self.plan.first && answers.outcomes.iter().any(violated),
                Err(DriverError::Stopped(_)) => false,
                Err(_) => true,
            };
            if ends {
                cancel.cancel();
            }
            (result, how)
        };
        let results: Vec<_> = match parts.len() {
            1 => vec![one(0)],
            _ => thread::scope(|scope| {
                let threads: Vec<_> = (0..parts.len())
                    .map(|k| scope.spawn(move || with_deep_stack(|| one(k))))
                    .collect();
                threads.into_iter().map(|t| t.join().unwrap_or_else(|e| resume_unwind(e))).collect()
            }),
        };
        let answers = results.into_iter().zip(parts).map(|((result, how), part)| match result {
            Err(DriverError::Stopped(stop)) => Ok(part.stopped(&how, stop)),
            result => result,
        });
        let mut answers = answers.collect::<Result<Vec<_>, _>>()?;
        // Numbered through, as files are named by them.
        let mut before = 0;
        for part in &mut answers {
            part.proofs.iter_mut().for_each(|p| p.bad += before);
            before += part.bads;
        }
        Ok(answers)
    }
}

/// Passes on what one of several threads says.
struct Shared<'a, 'p>(&'a Mutex<&'p mut (dyn Progress + Send)>);

impl Progress for Shared<'_, '_> {
    fn frame(&mut self, report: &FrameReport) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).frame(report);
    }
}

impl Part {
    /// Builds the circuit and runs the engines.
    fn solve(
        &self,
        how: &Solving<'_>,
        progress: &mut dyn Progress,
    ) -> Result<Answers, DriverError> {
        let Circuits { program, options, plan, budget } = how.circuits;
        let (question, context_bound) = (&self.question, options.context_bound);
        let circuit_options = CircuitOptions {
            reduction: self.reduction,
            context_bound,
            lock_sets: options.lock_sets,
            ..CircuitOptions::default()
        };
        let circuit = Circuit::build(program, question, circuit_options, budget)?;
        let is_implicit = |bad: usize| question.targets[circuit.target(bad)].property.is_implicit();
        let bads: Vec<usize> = (0..circuit.reduced.bads.len())
            .filter(|&bad| how.implicit || !is_implicit(bad))
            .collect();
        // What analysis proves is safe only where the implicit properties are, too.
        let has_bad = |p: &PropertyKind| {
            bads.iter().any(|&b| question.targets[circuit.target(b)].property == *p)
        };
        let mut own = question.properties.iter().filter(|p| !p.is_implicit());
        let all = how.needs_implicit || own.any(|p| !has_bad(p));
        // A bound that is too low is no violation to stop at.
        let is_bound = |bad: usize| question.targets[circuit.target(bad)].property.is_bound();
        let is_asked = |bad: &usize| match all {
            true => !(plan.first && is_bound(*bad)),
            false => !is_implicit(*bad),
        };
        let problem = Problem {
            asked: bads.iter().copied().filter(is_asked).collect(),
            bads,
            moved: Some(circuit.moved()),
            can_move: Some(circuit.can_move()),
            parts: circuit.execute(),
            ..Problem::new(&circuit.reduced)
        };
        let mut violations: BTreeMap<usize, Violation> = BTreeMap::new();
        let mut replay = |position: usize, trace: &Trace| {
            let target = circuit.target(problem.bads[position]);
            violations.insert(position, confirm(program, question, &circuit, target, trace)?);
            Ok(())
        };
        let solved = solve(plan, &problem, &mut replay, progress, budget)
            .map_err(|fault| DriverError::Internal(fault.to_string()))?;
        let proofs = match options.certificates {
            true => proofs(&circuit, &problem, &solved.answers),
            false => vec![],
        };
        let mut outcomes = vec![];
        for (position, answer) in solved.answers.into_iter().enumerate() {
            let target = circuit.target(problem.bads[position]);
            let by = answer.by;
            let known = outcome(answer, || {
                violations.remove(&position).expect("each accepted counterexample was replayed")
            });
            let known = match (known, context_bound) {
                (Outcome::Safe(_), Some(switches)) => Outcome::Open(bounded(switches)),
                (known, _) => known,
            };
            outcomes.push((self.targets[target], known, by));
        }
        let bads = circuit.reduced.bads.len();
        let circuit = CircuitReport {
            members: solved.members,
            statistics: Some(circuit.statistics()),
            ..self.report(how.implicit, budget.elapsed())
        };
        Ok(Answers { outcomes, proofs, bads, circuit })
    }

    /// What is known if the budget ended before there was a circuit.
    fn stopped(&self, how: &Solving<'_>, stop: Stop) -> Answers {
        let open = self.targets.iter().zip(&self.question.targets);
        let open = open.filter(|(_, t)| how.implicit || !t.property.is_implicit());
        let outcomes = open.map(|(&k, _)| (k, Outcome::Open(stop.to_string()), None)).collect();
        let circuit = self.report(how.implicit, how.circuits.budget.elapsed());
        Answers { outcomes, proofs: vec![], bads: 0, circuit }
    }

    fn report(&self, implicit: bool, elapsed: Duration) -> CircuitReport {
        let properties = self.question.properties.iter();
        CircuitReport {
            properties: properties.filter(|p| implicit || !p.is_implicit()).cloned().collect(),
            reduction: self.reduction,
            reduction_off: self.reduction_off.clone(),
            statistics: None,
            members: vec![],
            elapsed,
        }
    }
}

/// The safe bad states of the circuit, each with its model and witness circuit.
fn proofs(circuit: &Circuit, problem: &Problem, answers: &[Answer]) -> Vec<Proof> {
    // The verdict's limits may be used up; one question is asked here.
    let budget = Budget::unlimited();
    let mut proofs = vec![];
    for (&bad, answer) in problem.bads.iter().zip(answers) {
        if let Verdict::Safe(certificate) = &answer.verdict {
            let model = circuit.model(false, Some(bad));
            let restore = &model.restore;
            let witness = witness_circuit(problem, bad, certificate, restore, &budget);
            proofs.push(Proof { bad, model: model.aig, witness });
        }
    }
    proofs
}
