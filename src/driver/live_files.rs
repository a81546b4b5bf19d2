//! Files about temporal formulas: the exported circuit of one, and witnesses for it.
//!
//! As a bad state (liveness to safety) a violation is a run like any other, and every checker for
//! AIGER can be asked; its witness is brought back here. A file holds one property, and its latches
//! start at 0, as ABC and other tools want it.

use std::path::Path;

use crate::aig::{Aig, Roots, cone, normalise};
use crate::base::Budget;
use crate::engine::audit::{Audit, AuditOptions};
use crate::engine::liveness::{audit, lasso_of, monitored};
use crate::format::aiger::Encoding;
use crate::format::witness::{self, Witness};
use crate::format::{btor2, smv};
use crate::outcome::{Lasso, LiveVerdict, Reduction, Trace};
use crate::program::Program;
use crate::property::{Ltl, Question, Target, TargetKind};
use crate::report::CheckReport;
use crate::sched;

use super::circuit::{Circuit, CircuitOptions, Model};
use super::error::DriverError;
use super::export::{
    ExportFormat, ExportOptions, ExportedFile, MapFile, Replayed, aiger_file, located_file,
    map_file, with_map,
};
use super::ltl::violation;

/// How a formula's circuit says that it is violated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Liveness {
    /// By justice and fairness of AIGER 1.9 and BTOR2, as `LTLSPEC` of SMV.
    #[default]
    Justice,
    /// By a bad state; for AIGER.
    ToSafety,
}

impl Liveness {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Justice => "justice",
            Self::ToSafety => "l2s",
        }
    }
}

/// The formula that is asked, which must then be the only question.
///
/// # Errors
/// If something else is asked, too.
pub(super) fn formula(question: &Question) -> Result<Option<(&Target, &Ltl)>, DriverError> {
    let found = question.targets.iter().find_map(|t| match &t.kind {
        TargetKind::Ltl(ltl) => Some((t, &**ltl)),
        _ => None,
    });
    let asked = question.properties.iter().filter(|p| !p.is_implicit()).count();
    if found.is_some() && asked > 1 {
        let message = "a temporal formula has a circuit of its own: ask for one property at a time";
        return Err(DriverError::File(message.into()));
    }
    Ok(found)
}

fn live(
    program: &Program,
    ltl: &Ltl,
    reduction: sched::Reduction,
    lock_sets: Option<usize>,
    budget: &Budget,
) -> Result<Circuit, DriverError> {
    let options = CircuitOptions { reduction, lock_sets, ..CircuitOptions::default() };
    Circuit::live(program, ltl, options, budget)
}

/// The circuit with a bad state for the formula, in a form that every reader knows.
fn safety_model(circuit: &Circuit) -> Model {
    let mut aig = monitored(&circuit.reduced, 0, Reduction::LivenessToSafety).aig;
    aig.bads[0].name.clone_from(&circuit.reduced.justice[0].name);
    let (normal, restore) = normalise(&aig);
    Model { aig: normal, restore }
}

/// The formula's model and its map file.
///
/// # Errors
/// If a limit is reached, or the form cannot express the model.
pub(super) fn export_live(
    options: &ExportOptions,
    program: &Program,
    question: &Question,
    ltl: &Ltl,
    out: &Path,
    budget: &Budget,
) -> Result<Vec<ExportedFile>, DriverError> {
    if options.no_stutter {
        return Err(DriverError::File("--no-stutter is not for temporal formulas".into()));
    }
    let (reduction, _) = options.reduction.for_formula(program, ltl);
    let circuit = live(program, ltl, reduction, options.lock_sets, budget)?;
    let (model, word) = match options.liveness {
        Liveness::ToSafety => (safety_model(&circuit), None),
        Liveness::Justice => {
            let word = circuit.word_model(options.probe, None, budget)?;
            (circuit.model(options.probe, None), Some(word.ts))
        }
    };
    let bytes = match (options.format, word) {
        (ExportFormat::Aag, _) => aiger_file(options, &model, Encoding::Ascii, out)?,
        (ExportFormat::Aig, _) => aiger_file(options, &model, Encoding::Binary, out)?,
        (ExportFormat::Btor2, Some(ts)) => btor2::write(&ts).into_bytes(),
        (ExportFormat::Smv, Some(ts)) => smv::write(&ts).text.into_bytes(),
        (ExportFormat::Btor2 | ExportFormat::Smv, None) => {
            return Err(DriverError::File("--liveness l2s is for AIGER: --to aag or aig".into()));
        }
    };
    let mut map = map_file(options, program, question, &circuit, &model, None);
    map.liveness = Some(options.liveness.name().into());
    Ok(with_map(out, bytes, &map))
}

/// The witness of a violated formula and its map file, for the model that `export --liveness l2s`
/// writes.
///
/// # Errors
/// If a limit is reached.
pub(super) fn live_witness(
    report: &CheckReport,
    export: &ExportOptions,
    target: &Target,
    path: &Path,
    lasso: &Lasso,
    budget: &Budget,
) -> Result<Vec<ExportedFile>, DriverError> {
    let TargetKind::Ltl(ltl) = &target.kind else { return Ok(vec![]) };
    let own = report.circuits.iter().find(|c| c.properties.contains(&target.property));
    let reduction = own.map_or(sched::Reduction::None, |c| c.reduction);
    let circuit = live(&report.program, ltl, reduction, export.lock_sets, budget)?;
    let model = safety_model(&circuit);
    let trace = saved(&circuit.reduced, &model.aig, lasso);
    let question =
        Question { properties: vec![target.property.clone()], targets: vec![target.clone()] };
    let mut map = map_file(export, &report.program, &question, &circuit, &model, None);
    map.properties = vec![target.property.name()];
    map.liveness = Some(Liveness::ToSafety.name().into());
    let text = witness::write(&Witness::Violated(trace));
    Ok(with_map(path, text.into_bytes(), &map))
}

/// The run of the model that stores the state where the lasso's loop begins, and one frame more.
fn saved(aig: &Aig, model: &Aig, lasso: &Lasso) -> Trace {
    let (_, restore) = cone(aig, Roots::Justice(0));
    let (_, frames) = restore.forward(&lasso.initial, &lasso.inputs);
    let frame = |k: usize, values: &Vec<bool>| {
        let mut all = values.clone();
        all.push(k == lasso.loop_start);
        all.resize(model.inputs().len(), false);
        all
    };
    let mut inputs: Vec<Vec<bool>> = frames.iter().enumerate().map(|(k, v)| frame(k, v)).collect();
    inputs.push(frame(usize::MAX, &frames[lasso.loop_start]));
    Trace { bad: 0, initial: vec![false; model.latches().len()], inputs }
}

/// Brings back a witness for the model that `export --liveness l2s` wrote.
///
/// # Errors
/// If the witness is refused, or does not violate the formula.
pub(super) fn replay_live(
    program: Program,
    question: &Question,
    map: &MapFile,
    path: &Path,
    budget: &Budget,
) -> Result<Replayed, DriverError> {
    let Some((target, ltl)) = formula(question)? else {
        return Err(DriverError::File("the map file names no temporal formula".into()));
    };
    if map.liveness.as_deref() != Some(Liveness::ToSafety.name()) {
        let message = "witnesses of formulas are read for models of `export --liveness l2s`";
        return Err(DriverError::File(message.into()));
    }
    let circuit = live(&program, ltl, map.reduction()?, map.lock_sets, budget)?;
    let model = safety_model(&circuit);
    let Witness::Violated(trace) = located_file(path, &model.aig)? else {
        let message = format!("{}: the witness claims no violation", path.display());
        return Err(DriverError::File(message));
    };
    let lasso = read_lasso(&circuit, &model, trace).ok_or_else(|| {
        DriverError::File(format!("{}: no property is violated on this run", path.display()))
    })?;
    let violation = violation(&program, target, ltl, &circuit, &lasso, budget)?;
    let waves =
        circuit.waves(&Trace { bad: 0, initial: lasso.initial.clone(), inputs: lasso.inputs });
    Ok(Replayed { program, violation, waves })
}

/// The lasso of a run of the model up to its first bad frame.
fn read_lasso(circuit: &Circuit, model: &Model, mut trace: Trace) -> Option<Lasso> {
    let frames = crate::aig::run(&model.aig, &trace.initial, &trace.inputs);
    let bad = frames.iter().position(|f| f.bads[0])?;
    trace.inputs.truncate(bad + 1);
    let plain = monitored(&circuit.reduced, 0, Reduction::LivenessToSafety);
    let (initial, inputs) = model.restore.run(&trace.initial, &trace.inputs);
    let trace = Trace { bad: 0, initial, inputs };
    let lasso = lasso_of(&circuit.reduced, 0, &plain, &trace);
    let verdict = LiveVerdict::Unsafe(lasso.clone());
    let options = AuditOptions::default();
    let checked = audit(&circuit.reduced, 0, &verdict, &options, &Budget::unlimited());
    matches!(checked, Audit::Confirmed).then_some(lasso)
}

/// The first violated formula of a report, if the report's first violation is one.
pub(super) fn first_lasso(report: &CheckReport) -> Option<(&Target, &Lasso)> {
    let first = report.properties.iter().flat_map(|p| &p.violations).next()?;
    Some((&first.target, first.lasso.as_ref()?))
}
