//! Justice properties of a model, decided by the engines of a plan.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::aig::{Aig, Simulator};
use crate::base::{Budget, HashMap};
use crate::engine::audit::{Audit, AuditOptions};
use crate::engine::liveness::{LivenessOptions, audit, solve};
use crate::engine::{Capabilities, Engine, Problem, Progress};
use crate::outcome::{Lasso, LiveVerdict, Reason, Verdict};
use crate::portfolio::{self, Plan};
use crate::report::{SolvedProperty, SolvedVerdict};

use super::check::evidence;
use super::error::DriverError;

/// Decides all justice sets.
///
/// # Errors
/// If an internal check fails.
pub(super) fn justice(
    aig: &Aig,
    plan: &Plan,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<Vec<SolvedProperty>, DriverError> {
    let mut properties = vec![];
    for (k, set) in aig.justice.iter().enumerate() {
        let Decided { verdict, audited, by } =
            decide(aig, k, plan, &LivenessOptions::default(), progress, budget)?;
        let verdict = match verdict {
            LiveVerdict::Safe { certificate, .. } => {
                SolvedVerdict::Safe(evidence(&certificate, audited))
            }
            LiveVerdict::Unsafe(lasso) => SolvedVerdict::Lasso(lasso),
            LiveVerdict::Unknown(reason) => {
                SolvedVerdict::Unknown { why: reason.to_string(), depth: reason.depth() }
            }
        };
        properties.push(SolvedProperty {
            label: format!("j{k}"),
            name: set.name.clone(),
            verdict,
            engine: by,
        });
    }
    Ok(properties)
}

/// An answer about one justice set.
pub(super) struct Decided {
    pub verdict: LiveVerdict,
    /// Whether it was re-checked.
    pub audited: bool,
    /// Who answered.
    pub by: &'static str,
}

/// Decides the justice set at a position, and re-checks the answer.
///
/// # Errors
/// If an internal check fails.
pub(super) fn decide(
    aig: &Aig,
    justice: usize,
    plan: &Plan,
    options: &LivenessOptions,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<Decided, DriverError> {
    let all = Together { plan, fault: Mutex::default(), by: Mutex::default() };
    let verdict = solve(aig, &[justice], &all, options, progress, budget).remove(0);
    if let Some(fault) = all.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(DriverError::Internal(fault));
    }
    let audited = confirmed(aig, justice, &verdict, budget)?;
    let by = all.by.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Decided { verdict, audited, by: by.unwrap_or(plan.name) })
}

/// Time that an audit may take however fast the engine was.
const AUDIT_LEAST: Duration = Duration::from_secs(2);

/// Re-checks an answer; whether it was confirmed.
fn confirmed(
    aig: &Aig,
    justice: usize,
    verdict: &LiveVerdict,
    budget: &Budget,
) -> Result<bool, DriverError> {
    let share = budget.shorter(AUDIT_LEAST + budget.elapsed() / 2);
    match audit(aig, justice, verdict, &AuditOptions::default(), &share) {
        Audit::Confirmed => Ok(true),
        Audit::NotDone(_) | Audit::NoEvidence => Ok(false),
        Audit::Refuted(fault) => Err(DriverError::Internal(format!(
            "the audit refutes an answer about j{justice}: {fault}"
        ))),
    }
}

/// All engines of a plan as one.
struct Together<'a> {
    plan: &'a Plan,
    /// What is wrong with an answer.
    fault: Mutex<Option<String>>,
    /// Who answered last.
    by: Mutex<Option<&'static str>>,
}

impl Engine for Together<'_> {
    fn name(&self) -> &'static str {
        self.plan.name
    }

    fn description(&self) -> &'static str {
        "the engines of a plan"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: true,
            shortest: false,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        match portfolio::solve(self.plan, problem, &mut |_, _| Ok(()), progress, budget) {
            Ok(solved) => {
                let by = solved.answers.iter().find_map(|a| a.by);
                *self.by.lock().unwrap_or_else(PoisonError::into_inner) = by;
                solved.answers.into_iter().map(|a| a.verdict).collect()
            }
            Err(fault) => {
                let message = Some(fault.to_string());
                *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = message;
                let reason = Reason::Unsupported("an internal check failed".into());
                vec![Verdict::Unknown(reason); problem.bads.len()]
            }
        }
    }
}

/// Most frames that [`closed`] adds.
const MOST_FRAMES: usize = 10_000;

/// The lasso with its loop repeated until all latches have values that they had before, as
/// simulators want it. Latches that the property does not depend on may need several rounds, some
/// of which belong to the stem then, or (after very many) are given up.
pub(super) fn closed(aig: &Aig, lasso: &Lasso) -> Lasso {
    let mut simulator = Simulator::new(aig, &lasso.initial);
    // Where rounds begin, by the state there.
    let mut starts: HashMap<Vec<bool>, usize> = HashMap::default();
    let mut closed = Lasso { inputs: vec![], ..lasso.clone() };
    let length = lasso.inputs.len() - lasso.loop_start;
    let rounds = lasso.inputs[lasso.loop_start..].iter().cycle();
    for vector in lasso.inputs[..lasso.loop_start].iter().chain(rounds) {
        let frame = closed.inputs.len();
        // Between two starts of rounds all is true that must be.
        if frame.checked_sub(lasso.loop_start).is_some_and(|k| k % length == 0) {
            if let Some(&start) = starts.get(simulator.state()) {
                closed.loop_start = start;
                break;
            }
            starts.insert(simulator.state().to_vec(), frame);
        }
        if frame > MOST_FRAMES {
            break;
        }
        closed.inputs.push(vector.clone());
        simulator.eval(vector);
        simulator.advance();
    }
    closed
}
