//! Files about what `check` found: witnesses, certificates, waveforms.

use std::path::Path;

use crate::base::Budget;
use crate::format::aiger::{self, Encoding, WriteOptions};
use crate::format::vcd::{self, Waves};
use crate::format::witness::{self, Witness};
use crate::outcome::Trace;
use crate::property::{PropertyKind, Question, resolve};
use crate::report::CheckReport;

use super::check::CheckOptions;
use super::circuit::{Circuit, CircuitOptions};
use super::error::DriverError;
use super::export::{
    ExportFormat, ExportOptions, ExportedFile, map_file, with_map, with_number, with_suffix,
    write_files,
};
use super::live_files::{Liveness, first_lasso, live_witness};

/// The first violation's run of the exported circuit, that circuit, built again as it was checked,
/// and the properties that it is about.
struct Violated<'a> {
    properties: Vec<PropertyKind>,
    question: Question,
    circuit: Circuit,
    run: &'a Trace,
}

fn violated<'a>(
    report: &'a CheckReport,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Option<Violated<'a>>, DriverError> {
    let violations = report.properties.iter().flat_map(|p| &p.violations);
    let found = violations
        .filter_map(|v| Some((v.witness.as_ref()?, report.circuit_of(&v.target.property)?)))
        .next();
    let Some((run, part)) = found else { return Ok(None) };
    let own = part.properties.iter().filter(|p| !p.is_implicit());
    let properties: Vec<PropertyKind> = own.cloned().collect();
    let question = resolve(&report.program, &properties)?;
    let circuit_options = CircuitOptions {
        reduction: part.reduction,
        context_bound: options.context_bound,
        lock_sets: options.lock_sets,
        ..CircuitOptions::default()
    };
    let circuit = Circuit::build(&report.program, &question, circuit_options, budget)?;
    Ok(Some(Violated { properties, question, circuit, run }))
}

/// Writes the first violation as an AIGER witness of the circuit that `export` writes for the
/// same program and options and those properties that have this circuit, and its map file beside
/// it, which names them. Without a violation nothing is written.
///
/// # Errors
/// If a file cannot be written, or a limit is reached.
pub fn write_witness(
    report: &CheckReport,
    options: &CheckOptions,
    path: &Path,
    budget: &Budget,
) -> Result<(), DriverError> {
    let export = ExportOptions {
        program: options.program.clone(),
        properties: options.properties.clone(),
        format: ExportFormat::Aig,
        split: false,
        no_stutter: false,
        reduction: options.reduction,
        context_bound: options.context_bound,
        lock_sets: options.lock_sets,
        outputs_as_bad: false,
        probe: false,
        liveness: Liveness::ToSafety,
    };
    if let Some((target, lasso)) = first_lasso(report) {
        return write_files(&live_witness(report, &export, target, path, lasso, budget)?);
    }
    let Some(found) = violated(report, options, budget)? else { return Ok(()) };
    let Violated { properties, question, circuit, run } = found;
    let model = circuit.model(false, None);
    let export = ExportOptions { properties, ..export };
    let map = map_file(&export, &report.program, &question, &circuit, &model, None);
    let text = witness::write(&Witness::Violated(run.clone()));
    write_files(&with_map(path, text.into_bytes(), &map))
}

/// Writes the model and the witness circuit of each safe bad state: `dir/name.k.ext`, which is the
/// model that `export --split` writes, and `dir/name.k.cert.ext`. Returns the names, and why
/// others are missing.
///
/// # Errors
/// If a file cannot be written.
pub fn write_certificates(report: &CheckReport, out: &Path) -> Result<Vec<String>, DriverError> {
    let ascii = out.extension().is_some_and(|e| e == "aag");
    let write = WriteOptions::new(if ascii { Encoding::Ascii } else { Encoding::Binary });
    let (mut files, mut notes) = (vec![], vec![]);
    for proof in &report.proofs {
        let path = with_number(out, proof.bad);
        match &proof.witness {
            Ok(witness) => {
                let certificate = with_suffix(&path, "cert");
                notes.push(format!("wrote {}", certificate.display()));
                for (aig, path) in [(&proof.model, path), (witness, certificate)] {
                    let bytes = aiger::write(aig, write)
                        .map_err(|e| DriverError::File(format!("{}: {e}", path.display())))?;
                    files.push(ExportedFile { path, bytes });
                }
            }
            Err(why) => notes.push(format!("no certificate {}: {why}", path.display())),
        }
    }
    write_files(&files)?;
    Ok(notes)
}

/// Writes the signals of the first violation as a value change dump. Without a violation nothing
/// is written.
///
/// # Errors
/// If the file cannot be written, or a limit is reached.
pub fn write_vcd(
    report: &CheckReport,
    options: &CheckOptions,
    path: &Path,
    budget: &Budget,
) -> Result<(), DriverError> {
    let Some(Violated { circuit, run, .. }) = violated(report, options, budget)? else {
        return Ok(());
    };
    let (initial, inputs) = circuit.model(false, None).restore.run(&run.initial, &run.inputs);
    let waves = circuit.waves(&Trace { bad: run.bad, initial, inputs });
    write_waves(&waves, path)
}

/// Writes signals as a value change dump.
///
/// # Errors
/// If the file cannot be written.
pub fn write_waves(waves: &Waves, path: &Path) -> Result<(), DriverError> {
    let bytes = vcd::write(waves).into_bytes();
    write_files(&[ExportedFile { path: path.to_path_buf(), bytes }])
}
