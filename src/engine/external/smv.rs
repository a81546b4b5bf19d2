//! NuSMV and nuXmv. They get the circuit bit by bit: a Boolean variable for each input and latch,
//! a definition for each and. (Inputs are state variables, so that state k of a trace has all
//! values of frame k.) They know no certificates. Exit code 0 goes with every verdict; a piped
//! or killed run may have half a line, so that whole lines are matched.

use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::path::Path;

use super::method::{Claim, Grounds};
use super::process::Finished;
use super::transcript::{Said, complaint, exit, file, squeezed, statement};
use crate::aig::{Aig, Lit, Node};
use crate::format::smv::{TraceError, Variable, Variables, read_xml};
use crate::outcome::Trace;

/// Names of files.
const MODEL: &str = "model.smv";
const COMMANDS: &str = "commands";
const TRACE: &str = "trace.xml";

/// Name of the definition of the bad states.
const BAD: &str = "bad";

/// What is done between reading the model and showing the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Reachability on decision diagrams, with reordering; of both tools.
    Bdd,
    /// Interpolation and induction in turn on growing bounds (`check_invar_bmc_inc`, zigzag); of
    /// both tools.
    Induction,
    /// nuXmv's IC3.
    Ic3,
}

impl Check {
    fn commands(self) -> &'static [&'static str] {
        match self {
            Check::Bdd => &["set dynamic_reorder 1", "go", "check_invar -P p0"],
            Check::Induction => &["go_bmc", "check_invar_bmc_inc -a zigzag -k 1000000 -P p0"],
            Check::Ic3 => &[
                "flatten_hierarchy",
                "encode_variables",
                "build_boolean_model",
                "check_invar_ic3 -P p0",
            ],
        }
    }
}

/// Writes the model and the commands; the arguments.
pub(super) fn prepare(check: Check, model: &Aig, directory: &Path) -> io::Result<Vec<OsString>> {
    std::fs::write(directory.join(MODEL), write_model(model))?;
    let mut commands = format!("set on_failure_script_quits 1\nread_model -i {MODEL}\n");
    for command in check.commands() {
        commands += command;
        commands.push('\n');
    }
    // Plug-in 4 is XML. Where there is no trace the command may fail, which is no failure.
    let _ = writeln!(commands, "unset on_failure_script_quits");
    let _ = writeln!(commands, "show_traces -p 4 -o {TRACE} 1\nquit");
    std::fs::write(directory.join(COMMANDS), commands)?;
    Ok(vec!["-source".into(), COMMANDS.into()])
}

/// What the run claims.
///
/// # Errors
/// Why it claims nothing that makes sense.
pub(super) fn claim(model: &Aig, finished: &Finished, directory: &Path) -> Result<Claim, String> {
    exit(finished, 0)?;
    match statement(finished, meaning)? {
        Said::Safe => Ok(Claim::Safe(Grounds::None)),
        Said::Unknown => Ok(Claim::Unknown("undecided".into())),
        Said::Unsafe => {
            let text = file(&directory.join(TRACE), "counterexample", finished)?;
            let trace = read_trace(&text, model)
                .map_err(|e| complaint(&format!("bad counterexample ({e})"), finished))?;
            Ok(Claim::Unsafe(trace))
        }
    }
}

fn meaning(line: &str) -> Option<Said> {
    let line = squeezed(line);
    let about = line.strip_prefix("-- invariant ")?;
    if about.ends_with(" is true") {
        Some(Said::Safe)
    } else if about.ends_with(" is false") {
        Some(Said::Unsafe)
    } else {
        None
    }
}

/// The normalised circuit with its only bad as the invariant `p0`.
fn write_model(model: &Aig) -> String {
    let mut out = String::from("MODULE main\nVAR\n");
    for variable in variables(model).iter() {
        let _ = writeln!(out, "  {} : boolean;", variable.name);
    }
    out += "ASSIGN\n";
    for (k, latch) in model.latches().iter().enumerate() {
        let next = name(model, latch.next);
        let _ = writeln!(out, "  init(l{k}) := FALSE;\n  next(l{k}) := {next};");
    }
    out += "DEFINE\n";
    for (var, &node) in model.nodes().iter_enumerated() {
        if let Node::And(a, b) = node {
            let (own, a, b) = (name(model, Lit::new(var, false)), name(model, a), name(model, b));
            let _ = writeln!(out, "  {own} := {a} & {b};");
        }
    }
    let _ = writeln!(out, "  {BAD} := {};", name(model, model.bads[0].value));
    let _ = writeln!(out, "INVARSPEC NAME p0 := !{BAD};");
    out
}

fn name(model: &Aig, lit: Lit) -> String {
    if lit.is_const() {
        return if lit == Lit::TRUE { "TRUE" } else { "FALSE" }.into();
    }
    let not = if lit.is_negated() { "!" } else { "" };
    match model.node(lit.var()) {
        Node::Input(k) => format!("{not}i{k}"),
        Node::Latch(k) => format!("{not}l{k}"),
        _ => format!("{not}a{}", lit.code() >> 1),
    }
}

/// The variables of [`write_model`].
fn variables(model: &Aig) -> Variables {
    let bits = |letter: char, count: usize| {
        (0..count).map(|k| Variable { name: format!("{letter}{k}"), width: 1 }).collect()
    };
    Variables { inputs: bits('i', model.inputs().len()), states: bits('l', model.latches().len()) }
}

/// Reads a trace of the model in XML.
fn read_trace(text: &str, model: &Aig) -> Result<Trace, TraceError> {
    let run = read_xml(text, &variables(model))?.run;
    let inputs = run.inputs.iter().map(|frame| frame.iter().map(|&bit| bit == 1).collect());
    let initial = run.initial.iter().map(|&bit| bit == 1).collect();
    Ok(Trace { bad: 0, initial, inputs: inputs.collect() })
}
