//! `check`: from C source to verdicts.

use std::time::Duration;

use crate::base::Budget;
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::certificate::witness_circuit;
use crate::engine::{Engine, Problem, Progress};
use crate::outcome::{Certificate, Reason, Schedule, Trace, Verdict};
use crate::program::Program;
use crate::property::{PropertyKind, Question, Target, TargetKind, resolve};
use crate::report::{CheckReport, Evidence, Proof, PropertyReport, PropertyVerdict, Violation};
use crate::witness::{Replay, ReplayOptions, replay};

use super::circuit::{Circuit, CircuitOptions};
use super::error::DriverError;
use super::frontend::{Loaded, ProgramOptions, load};

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The program.
    pub program: ProgramOptions,
    /// The properties, in the order of the report.
    pub properties: Vec<PropertyKind>,
    /// Whether proofs are kept for [`write_certificates`](super::write_certificates).
    pub certificates: bool,
}

/// Runs the pipeline with one engine.
///
/// # Errors
/// If the input is refused, a limit is reached before the engine starts, or an internal check
/// fails: a counterexample that does not replay, an answer that the audit refutes.
pub fn check(
    options: &CheckOptions,
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let loaded = load(&options.program)?;
    run(loaded, options, engine, progress, budget)
}

/// The pipeline from a thread program on.
///
/// # Errors
/// As for [`check`].
pub fn check_program(
    loaded: Loaded,
    properties: &[PropertyKind],
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let options = CheckOptions { properties: properties.to_vec(), ..CheckOptions::default() };
    run(loaded, &options, engine, progress, budget)
}

fn run(
    loaded: Loaded,
    options: &CheckOptions,
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<CheckReport, DriverError> {
    let Loaded { program, warnings } = loaded;
    let question = resolve(&program, &options.properties)?;
    let circuit = Circuit::build(&program, &question, CircuitOptions::default(), budget)?;
    let is_asked = |&bad: &usize| !question.targets[circuit.target(bad)].property.is_implicit();
    let problem = Problem {
        asked: (0..circuit.reduced.bads.len()).filter(is_asked).collect(),
        moved: Some(circuit.moved()),
        can_move: Some(circuit.can_move()),
        ..Problem::new(&circuit.reduced)
    };
    let verdicts = engine.run(&problem, progress, budget);
    let audited = confirmed(&problem, &verdicts, budget)?;
    let proofs = if options.certificates { proofs(&circuit, &problem, &verdicts) } else { vec![] };
    let mut outcomes: Vec<Option<Outcome>> = question.targets.iter().map(|_| None).collect();
    for ((bad, verdict), audited) in verdicts.into_iter().enumerate().zip(audited) {
        let target = circuit.target(bad);
        outcomes[target] = Some(match verdict {
            Verdict::Safe(Certificate::Completeness { depth }) => {
                Outcome::Safe(Evidence::Complete { depth, audited })
            }
            Verdict::Safe(Certificate::Trivial) => Outcome::Safe(Evidence::Unreachable),
            Verdict::Safe(
                Certificate::Invariant { clauses } | Certificate::Signals { clauses, .. },
            ) => Outcome::Safe(Evidence::Invariant { clauses: clauses.len(), audited }),
            Verdict::Safe(Certificate::KInduction { k, .. }) => {
                Outcome::Safe(Evidence::Induction { k, audited })
            }
            Verdict::Unknown(reason) => Outcome::Unknown(reason),
            Verdict::Unsafe(trace) => {
                Outcome::Unsafe(Box::new(confirm(&program, &question, &circuit, target, trace)?))
            }
        });
    }
    let properties = report(&program, &question, outcomes);
    let statistics = circuit.statistics();
    let elapsed = budget.elapsed();
    Ok(CheckReport {
        program,
        warnings,
        properties,
        statistics,
        exploration: None,
        proofs,
        engine: engine.name(),
        elapsed,
    })
}

/// The safe bad states of the circuit, each with its model and witness circuit.
fn proofs(circuit: &Circuit, problem: &Problem, verdicts: &[Verdict]) -> Vec<Proof> {
    // The verdict's limits may be used up; one question is asked here.
    let budget = Budget::unlimited();
    let mut proofs = vec![];
    for (&bad, verdict) in problem.bads.iter().zip(verdicts) {
        if let Verdict::Safe(certificate) = verdict {
            let model = circuit.model(false, Some(bad));
            let restore = &model.restore;
            let witness = witness_circuit(problem, bad, certificate, restore, &budget);
            proofs.push(Proof { bad, model: model.aig, witness });
        }
    }
    proofs
}

/// Time that an audit may take however fast the engine was.
const AUDIT_LEAST: Duration = Duration::from_secs(2);

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

/// Re-checks every answer; whether each safe one was confirmed.
///
/// The audit may take about as long as the engine did: first a solver of another
/// kind, and where that one is too slow a fresh one of the engine's kind on the audit's own
/// unrolling.
fn confirmed(
    problem: &Problem,
    verdicts: &[Verdict],
    budget: &Budget,
) -> Result<Vec<bool>, DriverError> {
    let share = AUDIT_LEAST + budget.elapsed() / 2;
    let other = AuditOptions::default();
    let mut audits = audit(problem, verdicts, &other, &budget.shorter(share));
    if audits.iter().any(|a| matches!(a, Audit::NotDone(_))) {
        let same = AuditOptions { backend: other.backend.other() };
        audits = audit(problem, verdicts, &same, &budget.shorter(share));
    }
    audits
        .into_iter()
        .map(|result| match result {
            Audit::Confirmed => Ok(true),
            Audit::NotDone(_) => Ok(false),
            Audit::Refuted(fault) => {
                Err(DriverError::Internal(format!("the audit refutes an answer: {fault}")))
            }
        })
        .collect()
}

/// Replays a trace.
fn confirm(
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    target: usize,
    trace: Trace,
) -> Result<Violation, DriverError> {
    let (schedule, replay) = replay_trace(program, question, circuit, target, &trace)
        .map_err(|e| DriverError::Internal(format!("a counterexample does not replay: {e}")))?;
    let (initial, inputs) =
        circuit.model(false, None).restore.forward(&trace.initial, &trace.inputs);
    let witness = Trace { bad: trace.bad, initial, inputs };
    Ok(Violation {
        target: question.targets[target].clone(),
        schedule,
        replay,
        witness: Some(witness),
    })
}

/// Lifts a run of the reduced circuit and replays it.
pub(super) fn replay_trace(
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    target: usize,
    trace: &Trace,
) -> Result<(Schedule, Replay), crate::witness::Mismatch> {
    let (initial, inputs) = circuit.restore().run(&trace.initial, &trace.inputs);
    let full = Trace { bad: circuit.restore().bad(trace.bad), initial, inputs };
    let target = &question.targets[target];
    let by_move = matches!(target.kind, TargetKind::Sites(_));
    let mut schedule = circuit.lifter().lift(&full, by_move);
    let replay = replay(program, &schedule, target, ReplayOptions::default())?;
    schedule.site = replay.edges.last().and_then(|e| e.site).filter(|_| by_move);
    Ok((schedule, replay))
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
                report.verdict = match target.property {
                    PropertyKind::Bound | PropertyKind::AtomicBlocked => {
                        let place = target.span.map(|s| program.sources.show_line(s));
                        let place = place.unwrap_or_default();
                        PropertyVerdict::Unknown(format!("reached at {place}: {}", target.text))
                    }
                    _ => PropertyVerdict::Unsafe,
                };
                report.violations.push(*violation);
            }
        }
    }
    let spoiled = reports
        .iter()
        .filter(|r| r.property.is_implicit())
        .find(|r| !matches!(r.verdict, PropertyVerdict::Safe(_)))
        .map(|r| match &r.verdict {
            PropertyVerdict::Unsafe => format!("because of {}", r.property.name()),
            PropertyVerdict::Unknown(why) => format!("{} is open: {why}", r.property.name()),
            PropertyVerdict::Safe(_) => unreachable!("filtered out"),
        });
    if let Some(why) = spoiled {
        for r in &mut reports {
            if matches!(r.verdict, PropertyVerdict::Safe(_)) && !r.property.is_implicit() {
                r.verdict = PropertyVerdict::Unknown(why.clone());
            }
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
