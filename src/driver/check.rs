//! `check`: from C source to verdicts.

use std::time::Duration;

use crate::base::{Budget, Diagnostic};
use crate::engine::{AuditResult, Engine, Problem, Progress, audit_completeness, audit_trace};
use crate::outcome::{Certificate, Reason, Schedule, Trace, Verdict};
use crate::program::Program;
use crate::property::{PropertyKind, Question, Target, TargetKind, resolve};
use crate::witness::{Replay, ReplayOptions, replay};

use super::circuit::{Circuit, CircuitOptions, Statistics};
use super::error::DriverError;
use super::frontend::{Loaded, ProgramOptions, load};

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The program.
    pub program: ProgramOptions,
    /// The properties, in the order of the report.
    pub properties: Vec<PropertyKind>,
}

/// A violated target, replayed.
#[derive(Debug)]
pub struct Violation {
    /// What is violated.
    pub target: Target,
    /// The schedule.
    pub schedule: Schedule,
    /// What the interpreter did on it.
    pub replay: Replay,
    /// The run of the circuit that engines saw.
    pub trace: Trace,
}

/// Why a property is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// No run has more than `depth` moves; `audited` tells whether a solver of another kind
    /// confirmed it within the budget.
    Complete {
        /// Number of moves.
        depth: usize,
        /// Whether it was confirmed.
        audited: bool,
    },
    /// No circuit is needed: the analyses show that no run gets there.
    Unreachable,
}

/// The verdict on a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// It holds.
    Safe(Evidence),
    /// It is violated: positions in [`PropertyReport::violations`].
    Unsafe,
    /// Not known.
    Unknown(String),
}

/// The report on one property.
#[derive(Debug)]
pub struct PropertyReport {
    /// The property.
    pub property: PropertyKind,
    /// The verdict.
    pub verdict: PropertyVerdict,
    /// What is violated, by place.
    pub violations: Vec<Violation>,
    /// Places that are neither violated nor proved.
    pub open: Vec<Target>,
    /// Number of frames that the engine looked at.
    pub depth: Option<usize>,
}

/// The report on a run of [`check`].
#[derive(Debug)]
pub struct CheckReport {
    /// The program.
    pub program: Program,
    /// Remarks of the front end.
    pub warnings: Vec<Diagnostic>,
    /// One report for each property: those of the user, and implicit ones that are not safe.
    pub properties: Vec<PropertyReport>,
    /// Sizes.
    pub statistics: Statistics,
    /// Name of the engine.
    pub engine: &'static str,
    /// Wall time from the budget's start.
    pub elapsed: Duration,
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
    let Loaded { program, warnings } = load(&options.program)?;
    let question = resolve(&program, &options.properties)?;
    let circuit = Circuit::build(&program, &question, CircuitOptions::default(), budget)?;
    let problem = Problem {
        moved: Some(circuit.moved()),
        can_move: Some(circuit.can_move()),
        ..Problem::new(&circuit.reduced)
    };
    let verdicts = engine.run(&problem, progress, budget);
    let evidence = audit_safe(&problem, &verdicts, budget)?;
    let mut outcomes: Vec<Option<Outcome>> = question.targets.iter().map(|_| None).collect();
    for (bad, verdict) in verdicts.into_iter().enumerate() {
        let target = circuit.target(bad);
        outcomes[target] = Some(match verdict {
            Verdict::Safe(_) => Outcome::Safe(evidence),
            Verdict::Unknown(reason) => Outcome::Unknown(reason),
            Verdict::Unsafe(trace) => {
                Outcome::Unsafe(Box::new(confirm(&program, &question, &circuit, target, trace)?))
            }
        });
    }
    let properties = report(&question, outcomes);
    let statistics = circuit.statistics();
    let elapsed = budget.elapsed();
    Ok(CheckReport { program, warnings, properties, statistics, engine: engine.name(), elapsed })
}

/// What is known of one target; without a bad signal it cannot be violated.
enum Outcome {
    Safe(Evidence),
    Unsafe(Box<Violation>),
    Unknown(Reason),
}

/// Re-checks the completeness depth that safe answers share.
fn audit_safe(
    problem: &Problem,
    verdicts: &[Verdict],
    budget: &Budget,
) -> Result<Evidence, DriverError> {
    let mut deepest: Option<usize> = None;
    let mut safe = Problem { bads: vec![], ..problem.clone() };
    for (&bad, verdict) in problem.bads.iter().zip(verdicts) {
        if let Verdict::Safe(Certificate::Completeness { depth }) = verdict {
            deepest = deepest.max(Some(*depth));
            safe.bads.push(bad);
        }
    }
    let Some(depth) = deepest else { return Ok(Evidence::Unreachable) };
    match audit_completeness(&safe, depth, budget) {
        AuditResult::Confirmed => Ok(Evidence::Complete { depth, audited: true }),
        AuditResult::NotDone(_) => Ok(Evidence::Complete { depth, audited: false }),
        AuditResult::Refuted(why) => {
            Err(DriverError::Internal(format!("the audit refutes SAFE at depth {depth}: {why}")))
        }
    }
}

/// Simulates and replays a trace.
fn confirm(
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    target: usize,
    trace: Trace,
) -> Result<Violation, DriverError> {
    if let AuditResult::Refuted(why) = audit_trace(&circuit.reduced, &trace) {
        return Err(DriverError::Internal(format!("a trace does not simulate: {why}")));
    }
    let (schedule, replay) = replay_trace(program, question, circuit, target, &trace)
        .map_err(|e| DriverError::Internal(format!("a counterexample does not replay: {e}")))?;
    Ok(Violation { target: question.targets[target].clone(), schedule, replay, trace })
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
fn report(question: &Question, outcomes: Vec<Option<Outcome>>) -> Vec<PropertyReport> {
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
                if report.verdict == PropertyVerdict::Safe(Evidence::Unreachable) {
                    report.verdict = PropertyVerdict::Safe(evidence);
                }
                if let Evidence::Complete { depth, .. } = evidence {
                    report.depth = report.depth.max(Some(depth));
                }
            }
            Some(Outcome::Unknown(reason)) => {
                report.open.push(target.clone());
                report.depth = report.depth.max(reason_depth(&reason));
                if report.verdict != PropertyVerdict::Unsafe {
                    report.verdict = PropertyVerdict::Unknown(reason.to_string());
                }
            }
            Some(Outcome::Unsafe(violation)) => {
                report.depth = report.depth.max(Some(violation.trace.inputs.len() - 1));
                report.violations.push(*violation);
                report.verdict = PropertyVerdict::Unsafe;
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
    reports.retain(|r| {
        !r.property.is_implicit() || !matches!(r.verdict, PropertyVerdict::Safe(_))
    });
    reports
}

fn reason_depth(reason: &Reason) -> Option<usize> {
    match reason {
        Reason::Stopped { depth, .. } => *depth,
        Reason::Depth(d) => Some(*d),
        Reason::Unsupported(_) => None,
    }
}

impl CheckReport {
    /// 10 if a property is violated, 5 if one is not known, else 0.
    pub fn exit_code(&self) -> i32 {
        let any = |f: fn(&PropertyVerdict) -> bool| self.properties.iter().any(|p| f(&p.verdict));
        if any(|v| *v == PropertyVerdict::Unsafe) {
            10
        } else if any(|v| matches!(v, PropertyVerdict::Unknown(_))) {
            5
        } else {
            0
        }
    }
}
