//! Checks of answers.

use super::solve::monitored;
use crate::aig::{Aig, Roots, Simulator, cone, run};
use crate::base::Budget;
use crate::engine::Problem;
use crate::engine::audit::{self, Audit, AuditOptions, Fault};
use crate::outcome::{Lasso, LiveVerdict, Verdict};

/// Checks the verdict on the justice set at this position.
///
/// # Panics
/// If there is no justice set at the position.
pub fn audit(
    aig: &Aig,
    justice: usize,
    verdict: &LiveVerdict,
    options: &AuditOptions,
    budget: &Budget,
) -> Audit {
    match verdict {
        LiveVerdict::Unsafe(lasso) => match fault(aig, justice, lasso) {
            Some(fault) => Audit::Refuted(fault),
            None => Audit::Confirmed,
        },
        LiveVerdict::Safe { reduction, certificate } => {
            let checked = monitored(aig, justice, *reduction);
            let verdicts = [Verdict::Safe(certificate.clone())];
            audit::audit(&Problem::new(&checked.aig), &verdicts, options, budget).remove(0)
        }
        LiveVerdict::Unknown(_) => Audit::Confirmed,
    }
}

/// What is wrong with the lasso: it must be a run, its loop must come back to the values of the
/// latches that the property, fairness and the constraints depend on, and in the loop each
/// literal of the justice set and of fairness must be true once.
fn fault(aig: &Aig, justice: usize, lasso: &Lasso) -> Option<Fault> {
    if lasso.justice != justice {
        return Some(Fault::OtherProperty(lasso.justice));
    }
    let fits = lasso.initial.len() == aig.latches().len()
        && lasso.inputs.iter().all(|frame| frame.len() == aig.inputs().len())
        && lasso.loop_start < lasso.inputs.len();
    if !fits {
        return Some(Fault::Shape);
    }
    if let Some(latch) = aig.bad_reset(&lasso.initial) {
        return Some(Fault::Reset(latch));
    }
    let frames = run(aig, &lasso.initial, &lasso.inputs);
    for (frame, values) in frames.iter().enumerate() {
        if let Some(constraint) = values.constraints.iter().position(|&holds| !holds) {
            return Some(Fault::Constraint { constraint, frame });
        }
    }
    let last = frames.last().expect("the loop has a frame");
    let mut simulator = Simulator::new(aig, &last.latches);
    simulator.eval(lasso.inputs.last().expect("the loop has a frame"));
    simulator.advance();
    let (start, end) = (&frames[lasso.loop_start].latches, simulator.state());
    let (_, restore) = cone(aig, Roots::Justice(justice));
    let matters =
        |k: &usize| restore.lit(crate::aig::Lit::new(aig.latches()[*k].var, false)).is_some();
    if let Some(latch) = (0..start.len()).filter(matters).find(|&k| start[k] != end[k]) {
        return Some(Fault::LoopOpen(latch));
    }
    let cycle = &frames[lasso.loop_start..];
    let missing = |count: usize, seen: &dyn Fn(usize, usize) -> bool| {
        (0..count).find(|&k| (0..cycle.len()).all(|frame| !seen(frame, k)))
    };
    let set = aig.justice[justice].value.len();
    if let Some(k) = missing(set, &|frame, k| cycle[frame].justice[justice][k]) {
        return Some(Fault::NotJust(k));
    }
    missing(aig.fairness.len(), &|frame, k| cycle[frame].fairness[k]).map(Fault::NotFair)
}
