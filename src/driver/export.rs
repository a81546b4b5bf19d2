//! `export` and `replay`: circuits for other people's engines, and their witnesses back.
//!
//! Beside each model stands a map file that records what the model was made from, so that a
//! witness found elsewhere is replayed on the same program, or refused.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::aig::Aig;
use crate::base::Budget;
use crate::format::aiger::{self, Encoding, WriteOptions};
use crate::format::vcd::Waves;
use crate::format::witness::{self, Witness};
use crate::format::{btor2, smv};
use crate::outcome::Trace;
use crate::program::Program;
use crate::property::{PropertyKind, Question, resolve};
use crate::report::Violation;
use crate::sched::Reduction;
use crate::ts::Run;

use super::check::replay_trace;
use super::circuit::{Circuit, CircuitOptions, Model};
use super::error::DriverError;
use super::frontend::{Loaded, ProgramOptions, load};
use super::live_files::{Liveness, export_live, formula, replay_live};
use super::reduction::ReductionChoice;
use super::word::WordModel;

/// The form of an exported model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// AIGER, ASCII.
    Aag,
    /// AIGER, binary.
    Aig,
    /// BTOR2.
    Btor2,
    /// SMV, for NuSMV and nuXmv.
    Smv,
}

/// What to export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The program.
    pub program: ProgramOptions,
    /// The properties.
    pub properties: Vec<PropertyKind>,
    /// The form.
    pub format: ExportFormat,
    /// One file for each bad state.
    pub split: bool,
    /// See [`CircuitOptions::no_stutter`].
    pub no_stutter: bool,
    /// Which interleavings the circuit leaves out.
    pub reduction: ReductionChoice,
    /// See [`CircuitOptions::context_bound`].
    pub context_bound: Option<u32>,
    /// See [`CircuitOptions::lock_sets`].
    pub lock_sets: Option<usize>,
    /// Bads as plain outputs, for readers of AIGER 1.0.
    pub outputs_as_bad: bool,
    /// Keeps the scheduler's signals as outputs.
    pub probe: bool,
    /// The form of temporal formulas.
    pub liveness: Liveness,
}

/// A file to be written.
#[derive(Clone, Debug)]
pub struct ExportedFile {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub bytes: Vec<u8>,
}

/// What stands in a map file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapFile {
    /// Version of this form.
    pub schema: u32,
    /// The source files, in order.
    pub files: Vec<PathBuf>,
    /// A hash of the thread program that they became.
    pub program_hash: String,
    /// The properties.
    pub properties: Vec<String>,
    /// Whether bads are gated.
    pub no_stutter: bool,
    /// The reduction, by name.
    #[serde(default = "no_reduction")]
    pub reduction: String,
    /// The bound on switches of threads, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_bound: Option<u32>,
    /// See [`CircuitOptions::lock_sets`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_sets: Option<usize>,
    /// Whether the scheduler's signals are outputs.
    pub probe: bool,
    /// Of a temporal formula: `justice` or `l2s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liveness: Option<String>,
    /// The bad that the file is about, if it has only one of several.
    pub split: Option<usize>,
    /// What each bad stands for.
    pub bads: Vec<MapBad>,
    /// Where the things that symbols are named after come from.
    pub symbols: Vec<MapSymbol>,
}

/// A bad of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapBad {
    /// Its symbol.
    pub symbol: String,
    /// The property.
    pub property: String,
    /// `file:line:col`, if it is at one place.
    pub place: Option<String>,
    /// The condition or statement.
    pub text: String,
}

/// A symbol of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSymbol {
    /// The symbol of an input or latch.
    pub symbol: String,
    /// `file:line:col` of the declaration, if it stands for a variable.
    pub place: Option<String>,
    /// For a program counter: the source place of each value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// For an input: the choices of the program that it stands for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

impl MapFile {
    /// # Errors
    /// If there is no reduction of this name.
    pub(super) fn reduction(&self) -> Result<Reduction, DriverError> {
        Reduction::parse(&self.reduction)
            .ok_or_else(|| DriverError::File("the map file names an unknown reduction".into()))
    }
}

/// What map files mean that name no reduction.
fn no_reduction() -> String {
    Reduction::None.name().into()
}

/// The form of map files.
const SCHEMA: u32 = 1;

/// Makes the models and their map files, to be written to `out` and beside it.
///
/// # Errors
/// If the input is refused, a limit is reached, or the form cannot express the model.
pub fn export_model(
    options: &ExportOptions,
    out: &Path,
    budget: &Budget,
) -> Result<Vec<ExportedFile>, DriverError> {
    let Loaded { program, .. } = load(&options.program.for_properties(&options.properties))?;
    let question = resolve(&program, &options.properties)?;
    if let Some((_, ltl)) = formula(&question)? {
        return export_live(options, &program, &question, ltl, out, budget);
    }
    let (reduction, _) = options.reduction.resolve(&question, options.context_bound)?;
    let circuit_options = CircuitOptions {
        no_stutter: options.no_stutter,
        reduction,
        context_bound: options.context_bound,
        lock_sets: options.lock_sets,
        probe: options.probe,
        ..CircuitOptions::default()
    };
    let circuit = Circuit::build(&program, &question, circuit_options, budget)?;
    let count = circuit.reduced.bads.len();
    let parts: Vec<Option<usize>> =
        if options.split { (0..count).map(Some).collect() } else { vec![None] };
    let mut files = vec![];
    for part in parts {
        let model = circuit.model(options.probe, part);
        let path = match part {
            None => out.to_path_buf(),
            Some(k) => with_number(out, k),
        };
        let bytes = match options.format {
            ExportFormat::Aag => aiger_file(options, &model, Encoding::Ascii, &path)?,
            ExportFormat::Aig => aiger_file(options, &model, Encoding::Binary, &path)?,
            ExportFormat::Btor2 => {
                btor2::write(&circuit.word_model(options.probe, part, budget)?.ts).into_bytes()
            }
            ExportFormat::Smv => {
                smv::write(&circuit.word_model(options.probe, part, budget)?.ts).text.into_bytes()
            }
        };
        let map = map_file(options, &program, &question, &circuit, &model, part);
        files.extend(with_map(&path, bytes, &map));
    }
    Ok(files)
}

/// A file and the map file beside it.
pub(super) fn with_map(path: &Path, bytes: Vec<u8>, map: &MapFile) -> Vec<ExportedFile> {
    let text = serde_json::to_string_pretty(map).expect("a map file has no odd keys");
    let map = ExportedFile { path: map_path(path), bytes: (text + "\n").into_bytes() };
    vec![ExportedFile { path: path.to_path_buf(), bytes }, map]
}

/// The model as AIGER.
///
/// # Errors
/// If the form cannot express it.
pub(super) fn aiger_file(
    options: &ExportOptions,
    model: &Model,
    encoding: Encoding,
    path: &Path,
) -> Result<Vec<u8>, DriverError> {
    let write =
        WriteOptions { outputs_as_bad: options.outputs_as_bad, ..WriteOptions::new(encoding) };
    aiger::write(&model.aig, write)
        .map_err(|e| DriverError::File(format!("{}: {e}", path.display())))
}

/// `dir/name.k.ext`.
pub(super) fn with_number(out: &Path, k: usize) -> PathBuf {
    with_suffix(out, &k.to_string())
}

/// `dir/name.suffix.ext`.
pub(super) fn with_suffix(out: &Path, suffix: &str) -> PathBuf {
    let extension = out.extension().map(|e| format!(".{}", e.to_string_lossy()));
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{stem}.{suffix}{}", extension.unwrap_or_default()))
}

/// The map file of a model: `dir/name.map.json`.
fn map_path(model: &Path) -> PathBuf {
    model.with_extension("map.json")
}

pub(super) fn map_file(
    options: &ExportOptions,
    program: &Program,
    question: &Question,
    circuit: &Circuit,
    model: &Model,
    part: Option<usize>,
) -> MapFile {
    let count = if circuit.reduced.bads.is_empty() { 0 } else { model.aig.bads.len() };
    let bads = (0..count)
        .map(|k| {
            let target = &question.targets[circuit.target(model.restore.bad(k))];
            MapBad {
                symbol: model.aig.bads[k].name.clone().unwrap_or_default(),
                property: target.property.name(),
                place: target.span.map(|s| program.sources.show(s)),
                text: target.text.clone(),
            }
        })
        .collect();
    MapFile {
        schema: SCHEMA,
        files: options.program.files.clone(),
        program_hash: program_hash(program),
        properties: options.properties.iter().map(PropertyKind::name).collect(),
        no_stutter: options.no_stutter,
        reduction: circuit.options().reduction.name().into(),
        context_bound: circuit.options().context_bound,
        lock_sets: circuit.options().lock_sets,
        probe: options.probe,
        liveness: None,
        split: part,
        bads,
        symbols: symbols(program, circuit, &model.aig),
    }
}

/// A 64-bit FNV-1a hash of the program's printed form: equal programs give equal circuits.
fn program_hash(program: &Program) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in crate::program::print(program).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

fn symbols(program: &Program, circuit: &Circuit, aig: &Aig) -> Vec<MapSymbol> {
    let names = aig.inputs().iter().map(|i| &i.name).chain(aig.latches().iter().map(|l| &l.name));
    names
        .flatten()
        .map(|symbol| {
            let word = symbol.split_once('[').filter(|_| symbol.ends_with(']'));
            let base = match word {
                // `a[2][0]` is bit 0 of the word `a[2]`.
                Some(_) => symbol.rsplit_once('[').map_or(symbol.as_str(), |s| s.0),
                None => symbol,
            };
            let variable = program.vars.iter().find(|v| v.name == *symbol || v.name == base);
            MapSymbol {
                symbol: symbol.clone(),
                place: variable.and_then(|v| v.span).map(|s| program.sources.show(s)),
                values: pc_places(program, circuit, base),
                choices: choices(program, circuit, symbol, base),
            }
        })
        .collect()
}

/// The source place of each value of a program counter.
fn pc_places(program: &Program, circuit: &Circuit, word: &str) -> Vec<String> {
    let thread = program.threads.iter_enumerated().find(|(_, t)| format!("{}.pc", t.name) == word);
    let Some((id, thread)) = thread else { return vec![] };
    let points = circuit.encoding().points[id].list();
    points.iter().map(|&l| program.sources.show(thread.locations[l].span)).collect()
}

/// The choices of the program that an input stands for, with their threads.
fn choices(program: &Program, circuit: &Circuit, symbol: &str, word: &str) -> Vec<String> {
    let ts = &circuit.encoding().ts;
    let mut list = vec![];
    for (t, step) in circuit.encoding().threads.iter_enumerated() {
        for &(choice, input) in &step.choices {
            if ts.inputs[input].name == symbol || ts.inputs[input].name == word {
                let name: &str = &program.inputs[choice].name;
                list.push(format!("{}: {name}", program.threads[t].name));
            }
        }
    }
    list
}

/// A witness that was replayed.
#[derive(Debug)]
pub struct Replayed {
    /// The program.
    pub program: Program,
    /// What the witness violates.
    pub violation: Violation,
    /// The signals of its run.
    pub waves: Waves,
}

/// Replays a witness that somebody found on an exported model. The program and its encoding
/// options must be those of the export.
///
/// # Errors
/// If the input or the witness is refused, the map is of another program, a limit is reached, or
/// the witness does not violate the property.
pub fn replay_witness(
    options: &ProgramOptions,
    witness_path: &Path,
    map_path: Option<&Path>,
    budget: &Budget,
) -> Result<Replayed, DriverError> {
    let map = read_map(witness_path, map_path)?;
    let asked: Vec<PropertyKind> =
        map.properties.iter().map(|p| PropertyKind::parse(p)).collect::<Result<_, _>>().map_err(
            |e| DriverError::File(format!("the map file names an unknown property: {e}")),
        )?;
    let Loaded { program, .. } = load(&options.for_properties(&asked))?;
    if program_hash(&program) != map.program_hash {
        return Err(DriverError::File(
            "the map file belongs to another program or other options: give the source files and \
             options of the export"
                .into(),
        ));
    }
    let question = resolve(&program, &asked)?;
    if map.liveness.is_some() {
        return replay_live(program, &question, &map, witness_path, budget);
    }
    let circuit_options = CircuitOptions {
        no_stutter: map.no_stutter,
        reduction: map.reduction()?,
        context_bound: map.context_bound,
        lock_sets: map.lock_sets,
        probe: map.probe,
        ..CircuitOptions::default()
    };
    let circuit = Circuit::build(&program, &question, circuit_options, budget)?;
    if map.split.is_some_and(|k| k >= circuit.reduced.bads.len()) {
        return Err(DriverError::File("the map file does not fit the program".into()));
    }
    let model = circuit.model(map.probe, map.split);
    let witness = read_trace(&circuit, &model, &map, witness_path, budget)?;
    let (initial, inputs) = model.restore.run(&witness.initial, &witness.inputs);
    let trace = Trace { bad: model.restore.bad(witness.bad), initial, inputs };
    let target = circuit.target(trace.bad);
    let (schedule, replay) = replay_trace(&program, &question, &circuit, target, &trace)
        .map_err(|e| DriverError::Internal(format!("the witness does not replay: {e}")))?;
    let target = question.targets[target].clone();
    let waves = circuit.waves(&trace);
    let violation = Violation {
        target,
        schedule,
        replay,
        cycle_start: None,
        witness: Some(witness),
        lasso: None,
    };
    Ok(Replayed { program, violation, waves })
}

/// The violating run of the exported circuit that a witness in any form describes.
fn read_trace(
    circuit: &Circuit,
    model: &Model,
    map: &MapFile,
    path: &Path,
    budget: &Budget,
) -> Result<Trace, DriverError> {
    let bytes = read(path)?;
    let shown = path.display();
    let located = |line, kind: &dyn Display| DriverError::File(format!("{shown}:{line}: {kind}"));
    let trace = if is_btor2_witness(&bytes) {
        let word = circuit.word_model(map.probe, map.split, budget)?;
        let layout = btor2::Layout::of(&word.ts);
        let found =
            btor2::read_witness(&bytes, &word.ts, &layout).map_err(|e| located(e.line, &e.kind))?;
        let bad = found.properties.iter().find_map(|p| match p {
            btor2::Property::Bad(k) => Some(*k),
            btor2::Property::Justice(_) => None,
        });
        bad.and_then(|bad| word_trace(circuit, model, &word, bad, &found.run))
    } else if bytes.starts_with(b"<?xml") {
        let word = circuit.word_model(map.probe, map.split, budget)?;
        let text = String::from_utf8_lossy(&bytes);
        let found = smv::read_xml(&text, &smv::write(&word.ts).variables)
            .map_err(|e| located(e.line, &e.kind))?;
        // NuSMV does not say which property it is about; the first one violated will be taken.
        word_trace(circuit, model, &word, 0, &found.run)
    } else {
        let found = read_as(&bytes, &model.aig, path)?;
        let Witness::Violated(trace) = found else {
            return Err(DriverError::File(format!("{shown}: the witness claims no violation")));
        };
        Some(trace)
    };
    trace
        .and_then(|trace| first_violation(&model.aig, trace))
        .ok_or_else(|| DriverError::File(format!("{shown}: no property is violated on this run")))
}

/// A witness in AIGER's or ABC's form.
fn read_as(bytes: &[u8], aig: &Aig, path: &Path) -> Result<Witness, DriverError> {
    witness::read(bytes, aig, 0).map_err(|e| DriverError::File(format!("{}: {e}", path.display())))
}

/// The witness in a file, in AIGER's or ABC's form.
///
/// # Errors
/// If it cannot be read, or does not fit.
pub(super) fn located_file(path: &Path, aig: &Aig) -> Result<Witness, DriverError> {
    read_as(&read(path)?, aig, path)
}

/// The run of the exported circuit for a run of its word-level form; `None` if the bad stands
/// for nothing.
fn word_trace(
    circuit: &Circuit,
    model: &Model,
    word: &WordModel,
    bad: usize,
    run: &Run,
) -> Option<Trace> {
    let trace = circuit.reduced_trace(word, run, bad)?;
    let (initial, inputs) = model.restore.forward(&trace.initial, &trace.inputs);
    let bad = (0..model.aig.bads.len()).find(|&k| model.restore.bad(k) == trace.bad)?;
    Some(Trace { bad, initial, inputs })
}

/// Whether the first line that is no comment says `sat`.
fn is_btor2_witness(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && line[0] != b';') == Some(b"sat")
}

/// Cuts the trace at the first frame that violates its property; where that never is violated,
/// at the first one that violates any.
fn first_violation(aig: &Aig, trace: Trace) -> Option<Trace> {
    if aig.bads.is_empty() {
        return None;
    }
    let frames = crate::aig::run(aig, &trace.initial, &trace.inputs);
    let named = frames.iter().position(|f| f.bads[trace.bad]).map(|k| (k, trace.bad));
    let any =
        || frames.iter().enumerate().find_map(|(k, f)| Some((k, f.bads.iter().position(|&b| b)?)));
    let (frame, bad) = named.or_else(any)?;
    let mut trace = Trace { bad, ..trace };
    trace.inputs.truncate(frame + 1);
    Some(trace)
}

/// Writes the files; all of them or, if one cannot be written, none.
///
/// # Errors
/// If a file cannot be written.
pub fn write_files(files: &[ExportedFile]) -> Result<(), DriverError> {
    for (k, file) in files.iter().enumerate() {
        if let Err(e) = write_whole(&file.path, &file.bytes) {
            for written in &files[..k] {
                let _ = std::fs::remove_file(&written.path);
            }
            return Err(e);
        }
    }
    Ok(())
}

/// Writes to a temporary file first, so that no partial file is left behind.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DriverError> {
    let fail = |e: std::io::Error| DriverError::File(format!("{}: {e}", path.display()));
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".latchwork").tempfile_in(dir).map_err(fail)?;
    std::io::Write::write_all(&mut file, bytes).map_err(fail)?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(mode).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// The map file that was named, or the one beside the witness.
fn read_map(witness: &Path, named: Option<&Path>) -> Result<MapFile, DriverError> {
    let path = named.map_or_else(|| map_path(witness), Path::to_path_buf);
    if named.is_none() && !path.exists() {
        return Err(DriverError::File(format!(
            "{} does not exist: name the map file that `export` wrote with --map",
            path.display()
        )));
    }
    let bytes = read(&path)?;
    let map: MapFile = serde_json::from_slice(&bytes)
        .map_err(|e| DriverError::File(format!("{}: not a map file: {e}", path.display())))?;
    if map.schema != SCHEMA {
        let message = format!("{}: map file of version {}", path.display(), map.schema);
        return Err(DriverError::File(message));
    }
    Ok(map)
}

fn read(path: &Path) -> Result<Vec<u8>, DriverError> {
    std::fs::read(path).map_err(|e| DriverError::File(format!("{}: {e}", path.display())))
}
