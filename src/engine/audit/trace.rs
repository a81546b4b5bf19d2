//! Violations, by simulation.

use super::{Audit, Fault};
use crate::aig::{Aig, run};
use crate::outcome::Trace;

/// Is the trace a run of the circuit to the bad state at position `bad`?
pub(super) fn check(aig: &Aig, bad: usize, trace: &Trace) -> Audit {
    match fault(aig, bad, trace) {
        Some(fault) => Audit::Refuted(fault),
        None => Audit::Confirmed,
    }
}

fn fault(aig: &Aig, bad: usize, trace: &Trace) -> Option<Fault> {
    if trace.bad != bad {
        return Some(Fault::OtherProperty(trace.bad));
    }
    let fits = trace.initial.len() == aig.latches().len()
        && trace.inputs.iter().all(|frame| frame.len() == aig.inputs().len());
    if !fits {
        return Some(Fault::Shape);
    }
    if let Some(latch) = aig.bad_reset(&trace.initial) {
        return Some(Fault::Reset(latch));
    }
    let frames = run(aig, &trace.initial, &trace.inputs);
    for (frame, values) in frames.iter().enumerate() {
        if let Some(constraint) = values.constraints.iter().position(|&holds| !holds) {
            return Some(Fault::Constraint { constraint, frame });
        }
    }
    match frames.last() {
        Some(last) if last.bads[bad] => None,
        Some(_) => Some(Fault::NotBad),
        None => Some(Fault::Shape),
    }
}
