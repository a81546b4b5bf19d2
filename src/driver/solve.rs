//! `solve`: from a model file of others to verdicts.

use std::path::{Path, PathBuf};

use crate::aig::{Aig, Restore, Roots, simplify};
use crate::base::Budget;
use crate::engine::{Engine, Problem, Progress};
use crate::format::vcd;
use crate::outcome::{Reason, Trace, Verdict};
use crate::report::{SolveReport, SolvedProperty, SolvedVerdict};

use super::check::{confirmed, evidence};
use super::error::DriverError;
use super::export::{ExportedFile, write_files};
use super::model::ModelFile;

/// What to solve, and which files to write.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// The model.
    pub model: PathBuf,
    /// Where the witness of the first violation goes, in the model's own form. (Simulators of
    /// others take one witness a file.)
    pub witness: Option<PathBuf>,
    /// Where the signals of the first violation go.
    pub vcd: Option<PathBuf>,
}

/// Decides every property of a model.
///
/// # Errors
/// If the model is refused, a limit is reached before the engine starts, an internal check fails
/// (a trace that is none, an answer that the audit refutes), or a file cannot be written.
pub fn solve(
    options: &SolveOptions,
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<SolveReport, DriverError> {
    let model = ModelFile::read(&options.model, budget)?;
    let mut properties = vec![];
    if !model.aig.bads.is_empty() {
        properties = safety(&model, engine, progress, budget)?;
    }
    properties.extend(liveness(&model.aig));
    let first = properties.iter().find_map(|p| match &p.verdict {
        SolvedVerdict::Unsafe(trace) => Some(trace),
        _ => None,
    });
    if let Some(trace) = first {
        write_trace(&model, trace, options.witness.as_deref(), options.vcd.as_deref())?;
    }
    let aig = &model.aig;
    Ok(SolveReport {
        model: options.model.clone(),
        properties,
        inputs: aig.inputs().len(),
        latches: aig.latches().len(),
        ands: aig.num_ands(),
        engine: engine.name(),
        elapsed: budget.elapsed(),
    })
}

/// The bads, on the simplified circuit.
fn safety(
    model: &ModelFile,
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<Vec<SolvedProperty>, DriverError> {
    let (small, restore) = simplify(&model.aig, Roots::Properties, budget);
    let problem = Problem::new(&small);
    let verdicts = engine.run(&problem, progress, budget);
    let audited = confirmed(&problem, &verdicts, budget)?;
    let mut properties = vec![];
    for ((k, verdict), audited) in verdicts.into_iter().enumerate().zip(audited) {
        let position = restore.bad(k);
        let verdict = match verdict {
            Verdict::Safe(certificate) => SolvedVerdict::Safe(evidence(&certificate, audited)),
            Verdict::Unknown(reason) => unknown(&reason),
            Verdict::Unsafe(trace) => SolvedVerdict::Unsafe(lift(model, &restore, &trace)?),
        };
        let name = model.aig.bads[position].name.clone();
        properties.push(SolvedProperty { label: format!("b{position}"), name, verdict });
    }
    Ok(properties)
}

/// The justice properties.
fn liveness(aig: &Aig) -> impl Iterator<Item = SolvedProperty> + '_ {
    aig.justice.iter().enumerate().map(|(k, set)| {
        let reason = Reason::Unsupported("justice properties are not decided".into());
        let verdict = unknown(&reason);
        SolvedProperty { label: format!("j{k}"), name: set.name.clone(), verdict }
    })
}

fn unknown(reason: &Reason) -> SolvedVerdict {
    SolvedVerdict::Unknown { why: reason.to_string(), depth: reason.depth() }
}

/// The file's run for one of the simplified circuit; it must violate the property.
fn lift(model: &ModelFile, restore: &Restore, trace: &Trace) -> Result<Trace, DriverError> {
    let (initial, inputs) = restore.run(&trace.initial, &trace.inputs);
    let trace = Trace { bad: restore.bad(trace.bad), initial, inputs };
    if model.violates(&trace) {
        Ok(trace)
    } else {
        let message = format!("a counterexample of b{} does not violate it", trace.bad);
        Err(DriverError::Internal(message))
    }
}

/// Writes the files that were asked for.
fn write_trace(
    model: &ModelFile,
    trace: &Trace,
    witness: Option<&Path>,
    waves: Option<&Path>,
) -> Result<(), DriverError> {
    let mut files = vec![];
    if let Some(path) = witness {
        let bytes = model.witness(trace).into_bytes();
        files.push(ExportedFile { path: path.to_path_buf(), bytes });
    }
    if let Some(path) = waves {
        let bytes = vcd::write(&model.waves(trace)).into_bytes();
        files.push(ExportedFile { path: path.to_path_buf(), bytes });
    }
    write_files(&files)
}
