//! Reports for programs: one JSON object with a `schema` version.

use serde_json::{Value, json};

use crate::program::Program;
use crate::property::TargetKind;
use crate::witness::show_value;

use super::result::{
    CheckReport, CircuitReport, Evidence, PropertyReport, PropertyVerdict, Violation,
};
use super::trace::{
    Leaked, Racing, TraceLine, Waiting, leaked, lines_of, local, racing, trace_lines, waiting,
};

/// Version of the form.
const SCHEMA: u32 = 3;

/// The report of `check`.
pub fn json_report(report: &CheckReport) -> String {
    let properties: Vec<Value> = report.properties.iter().map(|p| property(report, p)).collect();
    let warnings: Vec<Value> = report
        .warnings
        .iter()
        .map(|w| {
            json!({
                "place": w.span.map(|s| report.program.sources.show(s)),
                "message": w.message,
            })
        })
        .collect();
    pretty(&json!({
        "schema": SCHEMA,
        "exit_code": report.exit_code(),
        "seconds": report.elapsed.as_secs_f64(),
        "properties": properties,
        "circuits": report.circuits.iter().map(circuit).collect::<Vec<_>>(),
        "exploration": report.exploration,
        "warnings": warnings,
    }))
}

/// The report of `replay`.
pub fn json_replay(program: &Program, v: &Violation) -> String {
    pretty(&json!({ "schema": SCHEMA, "violation": violation(program, v) }))
}

pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("reports have no odd keys") + "\n"
}

fn circuit(c: &CircuitReport) -> Value {
    json!({
        "properties": c.properties.iter().map(|p| p.title()).collect::<Vec<_>>(),
        "reduction": c.reduction.name(),
        "reduction_off": c.reduction_off,
        "statistics": c.statistics,
        "engines": c.members,
        "seconds": c.elapsed.as_secs_f64(),
    })
}

fn property(report: &CheckReport, p: &PropertyReport) -> Value {
    let program = &report.program;
    let (verdict, reason) = match &p.verdict {
        PropertyVerdict::Safe(_) => ("SAFE", None),
        PropertyVerdict::Unsafe => ("UNSAFE", None),
        PropertyVerdict::Unknown(why) => ("UNKNOWN", Some(why)),
    };
    let evidence = match &p.verdict {
        PropertyVerdict::Safe(evidence) => Some(*evidence),
        _ => None,
    };
    let open: Vec<Value> = p
        .open
        .iter()
        .map(|t| json!({ "place": t.span.map(|s| program.sources.show(s)), "text": t.text }))
        .collect();
    json!({
        "name": p.property.title(),
        "verdict": verdict,
        "reason": reason,
        "engine": report.engines_of(p),
        "seconds": report.elapsed_of(&p.property).as_secs_f64(),
        "depth": p.depth,
        "evidence": evidence.map(evidence_json),
        "audited": evidence.and_then(Evidence::audited),
        "restrictions": program.restrictions(),
        "violations": p.violations.iter().map(|v| violation(program, v)).collect::<Vec<_>>(),
        "open": open,
    })
}

/// Why a property is safe: the kind and its size.
pub(super) fn evidence_json(evidence: Evidence) -> Value {
    match evidence {
        Evidence::Unreachable => json!({ "kind": "analysis" }),
        Evidence::Complete { depth, .. } => json!({ "kind": "complete", "depth": depth }),
        Evidence::Invariant { clauses, .. } => json!({ "kind": "invariant", "clauses": clauses }),
        Evidence::Circuit { ands, .. } => json!({ "kind": "invariant", "ands": ands }),
        Evidence::Induction { k, .. } => json!({ "kind": "k-induction", "k": k }),
        Evidence::Claimed => json!({ "kind": "claim" }),
        Evidence::Explored { states } => json!({ "kind": "explored", "states": states }),
    }
}

fn violation(program: &Program, v: &Violation) -> Value {
    let choices: Vec<Value> = v
        .schedule
        .steps
        .iter()
        .enumerate()
        .flat_map(|(k, step)| step.inputs.iter().map(move |&(i, value)| (k, i, value)))
        .map(|(k, i, value)| {
            json!({ "step": k + 1, "name": program.inputs[i].name, "value": value.to_string() })
        })
        .collect();
    let (trace, cycle): (Vec<TraceLine>, Option<Vec<TraceLine>>) = match v.cycle_start {
        None => (trace_lines(program, &v.replay), None),
        Some(start) => {
            let (stem, cycle) = v.replay.edges.split_at(start);
            (lines_of(program, stem), Some(lines_of(program, cycle)))
        }
    };
    let waits: Vec<Waiting> = match &v.target.kind {
        TargetKind::Deadlock => waiting(program, &v.replay.state).collect(),
        TargetKind::Local(found, kind) => local(program, &v.replay.state, found, *kind).collect(),
        _ => vec![],
    };
    let leaks: Vec<Leaked> = match &v.target.kind {
        TargetKind::Leak(leak) => leaked(program, &v.replay.state, leak).collect(),
        _ => vec![],
    };
    let races: Vec<Racing> = match v.target.kind {
        TargetKind::Race(item) => racing(program, &v.replay.state, item).collect(),
        _ => vec![],
    };
    json!({
        "property": v.target.property.title(),
        "place": v.target.span.map(|s| program.sources.show(s)),
        "text": v.target.text,
        "steps": v.schedule.steps.len(),
        "choices": choices,
        "trace": trace,
        "loop": cycle,
        "waiting": waits,
        "racing": races,
        "leaked": leaks,
        "final": final_values(program, v),
    })
}

/// The shared variables' values at the end.
fn final_values(program: &Program, v: &Violation) -> Value {
    use crate::program::{Role, Scope};
    let vars = program.vars.iter_enumerated();
    let shown = vars.filter(|(_, x)| x.scope == Scope::Shared && x.role == Role::Data);
    shown
        .map(|(id, x)| (x.name.clone(), show_value(program, id, v.replay.state.value(id)).into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
