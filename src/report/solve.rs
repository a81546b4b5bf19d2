//! Reports about model files of others.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::outcome::{Lasso, Trace};
use crate::portfolio::MemberReport;

use super::json::{evidence_json, pretty};
use super::result::Evidence;
use super::text::evidence_text;

/// Version of the JSON form.
const SCHEMA: u32 = 1;

/// The verdict on a property of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolvedVerdict {
    /// It holds.
    Safe(Evidence),
    /// A run of the model's circuit that violates it.
    Unsafe(Trace),
    /// A run of the model's circuit that goes on for ever and violates it.
    Lasso(Lasso),
    /// Not known.
    Unknown {
        /// The reason.
        why: String,
        /// Number of frames that were looked at.
        depth: Option<usize>,
    },
}

/// The report on a property of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedProperty {
    /// Its kind and position in the file, as witnesses name it: `b0`, `j1`.
    pub label: String,
    /// Its symbol, if it has one.
    pub name: Option<String>,
    /// The verdict.
    pub verdict: SolvedVerdict,
    /// Name of the engine that answered, or of the preset of engines that did not.
    pub engine: &'static str,
}

/// The report of `solve`.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The file.
    pub model: PathBuf,
    /// Its properties, in order.
    pub properties: Vec<SolvedProperty>,
    /// Inputs of its circuit.
    pub inputs: usize,
    /// Latches of its circuit.
    pub latches: usize,
    /// Ands of its circuit.
    pub ands: usize,
    /// Name of the engine, or of the preset of engines.
    pub engine: &'static str,
    /// What became of the engines.
    pub members: Vec<MemberReport>,
    /// Wall time from the budget's start.
    pub elapsed: Duration,
}

impl SolveReport {
    /// 10 if a property is violated, 5 if one is not known, else 0.
    pub fn exit_code(&self) -> i32 {
        let any = |f: fn(&SolvedVerdict) -> bool| self.properties.iter().any(|p| f(&p.verdict));
        if any(|v| matches!(v, SolvedVerdict::Unsafe(_) | SolvedVerdict::Lasso(_))) {
            10
        } else if any(|v| matches!(v, SolvedVerdict::Unknown { .. })) {
            5
        } else {
            0
        }
    }
}

/// The verdicts, a line each, and if several engines ran and `quiet` is not set what became of
/// them.
pub fn text_solve(report: &SolveReport, quiet: bool) -> String {
    let mut out = String::new();
    let seconds = report.elapsed.as_secs_f64();
    for SolvedProperty { label, name, verdict, engine } in &report.properties {
        let name = name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let _ = write!(out, "{label}{name}: ");
        let _ = match verdict {
            SolvedVerdict::Safe(evidence) => {
                writeln!(out, "SAFE ({}, {seconds:.2} s)", evidence_text(engine, *evidence, ""))
            }
            SolvedVerdict::Unsafe(trace) => {
                let depth = trace.inputs.len() - 1;
                writeln!(out, "UNSAFE at depth {depth} ({engine}, {seconds:.2} s)")
            }
            SolvedVerdict::Lasso(lasso) => {
                let (start, end) = (lasso.loop_start, lasso.inputs.len());
                writeln!(
                    out,
                    "UNSAFE by a loop over frames {start} to {} ({engine}, {seconds:.2} s)",
                    end - 1
                )
            }
            SolvedVerdict::Unknown { why, .. } => writeln!(out, "UNKNOWN ({why})"),
        };
    }
    if report.members.len() > 1 && !quiet {
        let members: Vec<String> = report.members.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "(engines: {})", members.join("; "));
    }
    out
}

/// The same as one JSON object. Values of a trace stand in the order of the circuit's latches and
/// inputs.
pub fn json_solve(report: &SolveReport) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let bits = |values: &Vec<bool>| -> String {
        values.iter().map(|&v| if v { '1' } else { '0' }).collect()
    };
    let run = |initial: &Vec<bool>, inputs: &[Vec<bool>], loop_start: Option<usize>| {
        let inputs: Vec<String> = inputs.iter().map(bits).collect();
        json!({ "initial": bits(initial), "inputs": inputs, "loop_start": loop_start })
    };
    let property = |p: &SolvedProperty| {
        let (verdict, evidence, reason, depth, trace) = match &p.verdict {
            SolvedVerdict::Safe(evidence) => ("SAFE", Some(*evidence), None, None, None),
            SolvedVerdict::Unsafe(trace) => {
                let shown = run(&trace.initial, &trace.inputs, None);
                ("UNSAFE", None, None, Some(trace.inputs.len() - 1), Some(shown))
            }
            SolvedVerdict::Lasso(lasso) => {
                let shown = run(&lasso.initial, &lasso.inputs, Some(lasso.loop_start));
                ("UNSAFE", None, None, Some(lasso.inputs.len() - 1), Some(shown))
            }
            SolvedVerdict::Unknown { why, depth } => ("UNKNOWN", None, Some(why), *depth, None),
        };
        json!({
            "label": p.label,
            "name": p.name,
            "verdict": verdict,
            "reason": reason,
            "depth": depth,
            "evidence": evidence.map(evidence_json),
            "audited": evidence.and_then(Evidence::audited),
            "engine": p.engine,
            "seconds": seconds,
            "trace": trace,
        })
    };
    let properties: Vec<Value> = report.properties.iter().map(property).collect();
    pretty(&json!({
        "schema": SCHEMA,
        "model": report.model,
        "exit_code": report.exit_code(),
        "seconds": seconds,
        "engine": report.engine,
        "engines": report.members,
        "properties": properties,
        "statistics": {
            "inputs": report.inputs,
            "latches": report.latches,
            "ands": report.ands,
        },
    }))
}
