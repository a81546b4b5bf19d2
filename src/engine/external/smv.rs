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
    for k in 0..model.inputs().len() {
        let _ = writeln!(out, "  i{k} : boolean;");
    }
    for k in 0..model.latches().len() {
        let _ = writeln!(out, "  l{k} : boolean;");
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

/// Reads the states of a trace in XML: `<state id="1">`, and in it for each variable
/// `<value variable="l0">TRUE</value>`. What else there is (definitions, inputs of the
/// transitions) is skipped.
fn read_trace(text: &str, model: &Aig) -> Result<Trace, String> {
    // The values of each frame's latches and inputs.
    let (mut latches, mut inputs) = (vec![], vec![]);
    let mut in_state = false;
    for piece in text.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').ok_or("a tag without an end")?;
        if tag.starts_with("state ") {
            in_state = true;
            latches.push(vec![None; model.latches().len()]);
            inputs.push(vec![None; model.inputs().len()]);
        } else if tag == "/state" {
            in_state = false;
        } else if let (Some(rest), true) = (tag.strip_prefix("value variable=\""), in_state) {
            let variable = rest.strip_suffix('"').ok_or("a value without a variable")?;
            let value = match content.trim() {
                "TRUE" => true,
                "FALSE" => false,
                other => return Err(format!("`{other}` is no value of {variable}")),
            };
            let list = match variable.as_bytes().first() {
                Some(b'l') => latches.last_mut(),
                Some(b'i') => inputs.last_mut(),
                _ => continue,
            };
            let position = variable[1..].parse::<usize>().ok();
            let slot = list.expect("in a state").get_mut(position.unwrap_or(usize::MAX));
            *slot.ok_or_else(|| format!("no variable {variable}"))? = Some(value);
        }
    }
    let complete = |list: Vec<Option<bool>>| list.into_iter().collect::<Option<Vec<bool>>>();
    let first = latches.into_iter().next().ok_or("no state")?;
    let initial = complete(first).ok_or("the first state lacks a latch")?;
    let inputs = inputs.into_iter().map(complete).collect::<Option<Vec<_>>>();
    let inputs = inputs.ok_or("a state lacks an input")?;
    Ok(Trace { bad: 0, initial, inputs })
}
