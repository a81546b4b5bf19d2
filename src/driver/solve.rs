//! `solve`: from a model file of others to verdicts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::aig::{Restore, Roots, simplify};
use crate::base::Budget;
use crate::engine::{Problem, Progress};
use crate::format::btor2::Property;
use crate::format::vcd;
use crate::outcome::{Reason, Trace, Verdict};
use crate::portfolio::{self, MemberReport, Plan};
use crate::report::{SolveReport, SolvedProperty, SolvedVerdict};

use super::check::evidence;
use super::error::DriverError;
use super::export::{ExportedFile, write_files};
use super::justice::{closed, justice};
use super::model::{Found, ModelFile};

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
    engines: impl Into<Plan>,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<SolveReport, DriverError> {
    let plan = engines.into();
    let model = ModelFile::read(&options.model, budget)?;
    let (mut properties, mut members) = (vec![], vec![]);
    if !model.aig.bads.is_empty() {
        (properties, members) = safety(&model, &plan, progress, budget)?;
    }
    properties.extend(justice(&model.aig, &plan, progress, budget)?);
    if let Some(found) = properties.iter().enumerate().find_map(|(k, p)| found(&model, k, p)) {
        write_found(&model, &found, options.witness.as_deref(), options.vcd.as_deref())?;
    }
    let aig = &model.aig;
    Ok(SolveReport {
        model: options.model.clone(),
        properties,
        inputs: aig.inputs().len(),
        latches: aig.latches().len(),
        ands: aig.num_ands(),
        engine: plan.name,
        members,
        elapsed: budget.elapsed(),
    })
}

/// The bads, on the simplified circuit.
fn safety(
    model: &ModelFile,
    plan: &Plan,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Result<(Vec<SolvedProperty>, Vec<MemberReport>), DriverError> {
    let (small, restore) = simplify(&model.aig, Roots::Properties, budget);
    let mut traces = BTreeMap::new();
    let mut check = |bad: usize, trace: &Trace| {
        traces.insert(bad, lift(model, &restore, trace)?);
        Ok(())
    };
    let solved = portfolio::solve(plan, &Problem::new(&small), &mut check, progress, budget)
        .map_err(|fault| DriverError::Internal(fault.to_string()))?;
    let mut properties = vec![];
    for (k, answer) in solved.answers.into_iter().enumerate() {
        let position = restore.bad(k);
        let verdict = match answer.verdict {
            Verdict::Safe(certificate) => {
                SolvedVerdict::Safe(evidence(&certificate, answer.audited))
            }
            Verdict::Unknown(reason) => unknown(&reason),
            Verdict::Unsafe(_) => SolvedVerdict::Unsafe(
                traces.remove(&k).expect("each accepted counterexample was checked"),
            ),
        };
        properties.push(SolvedProperty {
            label: format!("b{position}"),
            name: model.aig.bads[position].name.clone(),
            verdict,
            engine: answer.by.unwrap_or(plan.name),
        });
    }
    Ok((properties, solved.members))
}

fn unknown(reason: &Reason) -> SolvedVerdict {
    SolvedVerdict::Unknown { why: reason.to_string(), depth: reason.depth() }
}

/// The file's run for one of the simplified circuit; it must violate the property.
fn lift(model: &ModelFile, restore: &Restore, trace: &Trace) -> Result<Trace, String> {
    let (initial, inputs) = restore.run(&trace.initial, &trace.inputs);
    let trace = Trace { bad: restore.bad(trace.bad), initial, inputs };
    if model.violates(&trace) {
        Ok(trace)
    } else {
        Err(format!("b{} is not violated in the model", trace.bad))
    }
}

/// The run that violates the property at this position of the report, if one does.
fn found(model: &ModelFile, position: usize, property: &SolvedProperty) -> Option<Found> {
    match &property.verdict {
        SolvedVerdict::Unsafe(Trace { bad, initial, inputs }) => Some(Found {
            property: Property::Bad(*bad),
            initial: initial.clone(),
            inputs: inputs.clone(),
        }),
        SolvedVerdict::Lasso(lasso) => Some(Found {
            property: Property::Justice(position - model.aig.bads.len()),
            initial: lasso.initial.clone(),
            inputs: closed(&model.aig, lasso).inputs,
        }),
        SolvedVerdict::Safe(_) | SolvedVerdict::Unknown { .. } => None,
    }
}

/// Writes the files that were asked for.
fn write_found(
    model: &ModelFile,
    found: &Found,
    witness: Option<&Path>,
    waves: Option<&Path>,
) -> Result<(), DriverError> {
    let mut files = vec![];
    if let Some(path) = witness {
        let bytes = model.witness(found).into_bytes();
        files.push(ExportedFile { path: path.to_path_buf(), bytes });
    }
    if let Some(path) = waves {
        let bytes = vcd::write(&model.waves(found)).into_bytes();
        files.push(ExportedFile { path: path.to_path_buf(), bytes });
    }
    write_files(&files)
}
