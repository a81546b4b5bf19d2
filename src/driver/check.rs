//! `check`: from C source to verdicts.

use crate::base::{Budget, Diagnostic, Severity};
use crate::engine::Progress;
use crate::outcome::{Certificate, Reason, Schedule, Trace, Verdict};
use crate::portfolio::{Answer, Plan};
use crate::program::Program;
use crate::property::{PropertyKind, Question, Target, TargetKind, resolve};
use crate::report::{
    CheckReport, CircuitReport, Evidence, Proof, PropertyReport, PropertyVerdict, Violation,
};
use crate::sched::Reduction;
use crate::witness::{Mismatch, Replay, ReplayOptions, replay};

use super::circuit::Circuit;
use super::error::DriverError;
use super::frontend::{Loaded, ProgramOptions, load};
use super::ltl::check_ltl;
use super::part::{Answers, Circuits};
use super::reduction::ReductionChoice;

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The program.
    pub program: ProgramOptions,
    /// The properties, in the order of the report.
    pub properties: Vec<PropertyKind>,
    /// Whether proofs are kept for [`write_certificates`](super::write_certificates).
    pub certificates: bool,
    /// Which interleavings the circuit leaves out.
    pub reduction: ReductionChoice,
    /// How often another thread may go on, if that is bounded: no verdict is safe then.
    pub context_bound: Option<u32>,
    /// See [`CircuitOptions::lock_sets`](super::CircuitOptions::lock_sets).
    pub lock_sets: Option<usize>,
}

/// Runs the pipeline with one engine or the engines of a plan.
///
/// # Errors
/// If the input is refused, or an internal check fails: a counterexample that does not replay, an
/// answer that the audit refutes.
pub fn check(
    options: &CheckOptions,
    engines: impl Into<Plan>,
    progress: &mut (dyn Progress + Send),
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let loaded = load(&options.program.for_properties(&options.properties))?;
    check_loaded(loaded, options, engines, progress, budget)
}

/// The pipeline from a thread program on, without reduction.
///
/// # Errors
/// As for [`check`].
pub fn check_program(
    loaded: Loaded,
    properties: &[PropertyKind],
    engines: impl Into<Plan>,
    progress: &mut (dyn Progress + Send),
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let none = ReductionChoice::Fixed(Reduction::None);
    check_reduced(loaded, properties, none, engines, progress, budget)
}

/// The pipeline from a thread program on.
///
/// # Errors
/// As for [`check`].
pub fn check_reduced(
    loaded: Loaded,
    properties: &[PropertyKind],
    reduction: ReductionChoice,
    engines: impl Into<Plan>,
    progress: &mut (dyn Progress + Send),
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let properties = properties.to_vec();
    let options = CheckOptions { properties, reduction, ..CheckOptions::default() };
    check_loaded(loaded, &options, engines, progress, budget)
}

/// The pipeline from a thread program on, with all options; their program is not looked at.
///
/// # Errors
/// As for [`check`].
pub fn check_loaded(
    loaded: Loaded,
    options: &CheckOptions,
    engines: impl Into<Plan>,
    progress: &mut (dyn Progress + Send),
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let plan = engines.into();
    let Loaded { program, mut warnings } = loaded;
    let question = resolve(&program, &options.properties)?;
    warnings.extend(question.targets.iter().filter_map(warn_of_next));
    if question.has_formulas() && options.context_bound.is_some() {
        return Err(DriverError::File("--context-bound is not for temporal formulas".into()));
    }
    let parts = options.reduction.split(&program, &question, plan.name, options.context_bound)?;
    let mut formulas = vec![];
    for (k, target) in question.targets.iter().enumerate() {
        if let TargetKind::Ltl(ltl) = &target.kind {
            formulas.push(check_ltl(
                &program,
                (k, target),
                ltl,
                (options, &plan),
                progress,
                budget,
            )?);
        }
    }
    let circuits = Circuits { program: &program, options, plan: &plan, budget };
    let mut found = Findings::new(&question);
    let all = circuits.solve(&question, &parts, progress)?.into_iter().chain(formulas);
    all.for_each(|answers| found.add(answers));
    let Findings { outcomes, engines, circuits, proofs } = found;
    let mut properties = report(&program, &question, outcomes);
    for report in &mut properties {
        let own =
            question.targets.iter().zip(&engines).filter(|(t, _)| t.property == report.property);
        report.engines = own.filter_map(|(_, engine)| *engine).collect();
        report.engines.sort_unstable();
        report.engines.dedup();
    }
    let elapsed = budget.elapsed();
    let (engine, exploration) = (plan.name, None);
    Ok(CheckReport {
        program,
        warnings,
        properties,
        circuits,
        exploration,
        proofs,
        engine,
        elapsed,
    })
}

/// What the circuits told.
struct Findings {
    /// By position in the question's targets.
    outcomes: Vec<Option<Outcome>>,
    /// Who answered.
    engines: Vec<Option<&'static str>>,
    circuits: Vec<CircuitReport>,
    proofs: Vec<Proof>,
}

impl Findings {
    fn new(question: &Question) -> Self {
        let outcomes: Vec<Option<Outcome>> = question.targets.iter().map(|_| None).collect();
        let engines = vec![None; outcomes.len()];
        Self { outcomes, engines, circuits: vec![], proofs: vec![] }
    }

    fn add(&mut self, answers: Answers) {
        for (target, outcome, by) in answers.outcomes {
            self.outcomes[target] = Some(outcome);
            self.engines[target] = by;
        }
        self.circuits.push(answers.circuit);
        self.proofs.extend(answers.proofs);
    }
}

/// `X` depends on how the program is cut into edges.
fn warn_of_next(target: &Target) -> Option<Diagnostic> {
    let TargetKind::Ltl(ltl) = &target.kind else { return None };
    ltl.has_next().then(|| {
        let message = format!(
            "X in `{}`: what the next state is depends on how statements become single steps",
            target.text
        );
        let severity = Severity::Warning;
        Diagnostic { severity, ..Diagnostic::error_without_span(message) }
    })
}

/// What a report says of a certificate.
pub(super) fn evidence(certificate: &Certificate, audited: bool) -> Evidence {
    match *certificate {
        Certificate::Completeness { depth } => Evidence::Complete { depth, audited },
        Certificate::Trivial => Evidence::Unreachable,
        Certificate::Invariant { ref clauses } | Certificate::Signals { ref clauses, .. } => {
            Evidence::Invariant { clauses: clauses.len(), audited }
        }
        Certificate::Circuit { ref invariant } => {
            Evidence::Circuit { ands: invariant.num_ands(), audited }
        }
        Certificate::KInduction { k, .. } => Evidence::Induction { k, audited },
        Certificate::Claim => Evidence::Claimed,
    }
}

/// What is known of one target; without a bad signal it cannot be violated.
pub(super) enum Outcome {
    /// It cannot be violated.
    Safe(Evidence),
    /// It is violated.
    Unsafe(Box<Violation>),
    /// An engine does not know.
    Unknown(Reason),
    /// Not known, for this reason.
    Open(String),
}

/// Why what holds in all runs with few switches of threads is not safe.
pub(super) fn bounded(switches: u32) -> String {
    format!("context bound {switches}: no violation with so few switches of threads")
}

/// The answer about a bad as what is known of its target.
pub(super) fn outcome(answer: Answer, violation: impl FnOnce() -> Violation) -> Outcome {
    match answer.verdict {
        Verdict::Safe(certificate) => Outcome::Safe(evidence(&certificate, answer.audited)),
        Verdict::Unknown(reason) => Outcome::Unknown(reason),
        Verdict::Unsafe(_) => Outcome::Unsafe(Box::new(violation())),
    }
}

/// Replays a trace.
pub(super) fn confirm(
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    target: usize,
    trace: &Trace,
) -> Result<Violation, String> {
    let (schedule, replay) =
        replay_trace(program, question, circuit, target, trace).map_err(|e| e.to_string())?;
    let (initial, inputs) =
        circuit.model(false, None).restore.forward(&trace.initial, &trace.inputs);
    let witness = Trace { bad: trace.bad, initial, inputs };
    Ok(Violation {
        target: question.targets[target].clone(),
        schedule,
        replay,
        cycle_start: None,
        witness: Some(witness),
        lasso: None,
    })
}

/// Lifts a run of the reduced circuit and replays it.
pub(super) fn replay_trace(
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    target: usize,
    trace: &Trace,
) -> Result<(Schedule, Replay), Mismatch> {
    let (initial, inputs) = circuit.restore().run(&trace.initial, &trace.inputs);
    let full = Trace { bad: circuit.restore().bad(trace.bad), initial, inputs };
    let target = &question.targets[target];
    let by_move = matches!(target.kind, TargetKind::Sites(_));
    let mut mismatch = Mismatch::NotViolated;
    let schedules = match target.kind {
        TargetKind::Race(_) => circuit.lifter().lift_race(&full),
        _ => circuit.lifter().lift(&full, by_move),
    };
    for mut schedule in schedules {
        match replay(program, &schedule, target, ReplayOptions::default()) {
            Ok(replay) => {
                schedule.site = replay.edges.last().and_then(|e| e.site).filter(|_| by_move);
                return Ok((schedule, replay));
            }
            Err(e) => mismatch = e,
        }
    }
    Err(mismatch)
}

/// Sums up the targets' outcomes by property. Where an implicit property is not safe, no other
/// one is.
pub(super) fn report(
    program: &Program,
    question: &Question,
    outcomes: Vec<Option<Outcome>>,
) -> Vec<PropertyReport> {
    let mut reports: Vec<PropertyReport> = question
        .properties
        .iter()
        .map(|property| PropertyReport {
            property: property.clone(),
            verdict: PropertyVerdict::Safe(Evidence::Unreachable),
            violations: vec![],
            open: vec![],
            depth: None,
            engines: vec![],
        })
        .collect();
    for (target, outcome) in question.targets.iter().zip(outcomes) {
        let report = reports
            .iter_mut()
            .find(|r| r.property == target.property)
            .expect("each target's property is listed");
        match outcome {
            None => {}
            Some(Outcome::Safe(evidence)) => {
                if let PropertyVerdict::Safe(known) = &mut report.verdict {
                    *known = known.weaker(evidence);
                }
                if let Evidence::Complete { depth, .. } = evidence {
                    report.depth = report.depth.max(Some(depth));
                }
            }
            Some(Outcome::Unknown(reason)) => {
                report.depth = report.depth.max(reason.depth());
                leave_open(report, target, reason.to_string());
            }
            Some(Outcome::Open(why)) => leave_open(report, target, why),
            Some(Outcome::Unsafe(violation)) => {
                let frames = violation.witness.as_ref().map(|w| w.inputs.len() - 1);
                report.depth = report.depth.max(frames);
                report.verdict = if target.property.is_bound() {
                    let place = target.span.map(|s| program.sources.show_line(s));
                    let place = place.unwrap_or_default();
                    PropertyVerdict::Unknown(format!("reached at {place}: {}", target.text))
                } else {
                    PropertyVerdict::Unsafe
                };
                report.violations.push(*violation);
            }
        }
    }
    let spoiled = reports
        .iter()
        .filter(|r| r.property.hides_others())
        .find(|r| !matches!(r.verdict, PropertyVerdict::Safe(_)))
        .map(|r| match &r.verdict {
            PropertyVerdict::Unsafe => format!("because of {}", r.property.title()),
            PropertyVerdict::Unknown(why) => format!("{} is open: {why}", r.property.title()),
            PropertyVerdict::Safe(_) => unreachable!("filtered out"),
        });
    let weak = program.weak_order.map(|span| {
        let place = program.sources.show_line(span);
        format!("the order at {place} is weaker than sequential consistency")
    });
    let handlers = program
        .has_handlers
        .then(|| "interrupt handlers can always run, whatever else is stuck".to_string());
    for r in &mut reports {
        let weak = weak.as_ref().filter(|_| r.property == PropertyKind::Race);
        let stuck = match r.property {
            PropertyKind::Deadlock | PropertyKind::LocalDeadlock => handlers.as_ref(),
            _ => None,
        };
        let why = spoiled.as_ref().or(weak).or(stuck);
        if let Some(why) = why
            && matches!(r.verdict, PropertyVerdict::Safe(_))
            && !r.property.is_implicit()
        {
            r.verdict = PropertyVerdict::Unknown(why.clone());
        }
    }
    reports.retain(|r| !r.property.is_implicit() || !matches!(r.verdict, PropertyVerdict::Safe(_)));
    reports
}

fn leave_open(report: &mut PropertyReport, target: &Target, why: String) {
    report.open.push(target.clone());
    if report.verdict != PropertyVerdict::Unsafe {
        report.verdict = PropertyVerdict::Unknown(why);
    }
}
