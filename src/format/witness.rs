//! Witnesses of AIGER models: the AIGER 1.9 form (status, properties, first state, one input
//! vector for each frame, `.`) and the raw text of ABC's `write_cex -a` (first state and vectors
//! only, then `# DONE`).

use std::fmt;

use crate::aig::{Aig, Reset};
use crate::outcome::Trace;

/// What a witness says about a bad-state property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// Status 1: it is violated by this run.
    Violated(Trace),
    /// Status 0: the bad at this position of the graph's cannot be reached. There is no evidence.
    Holds(usize),
    /// Status 2, for the bad at this position of the graph's.
    Unknown(usize),
}

/// Why a text is not a witness of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessError {
    /// Line, 1-based; one past the last if the text ends too early.
    pub line: usize,
    /// What is wrong there.
    pub kind: WitnessErrorKind,
}

/// What is wrong on a line of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessErrorKind {
    /// The text ends where this was expected.
    End(&'static str),
    /// The status is not `0`, `1` or `2`.
    Status,
    /// The line of properties is not `b` and a number, once or several times.
    Property,
    /// The witness is about a justice property.
    Justice,
    /// The graph has no bad at this position.
    NoSuchBad(usize),
    /// A state or vector has another number of values than the graph has latches or inputs.
    Length {
        /// `latches` or `inputs`.
        what: &'static str,
        /// Number of values that the graph wants.
        expected: usize,
        /// Number of values on the line.
        found: usize,
    },
    /// A value is none of `0`, `1`, `x`.
    Value(u8),
}

impl fmt::Display for WitnessErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End(what) => write!(f, "the witness ends where {what} should be"),
            Self::Status => f.write_str("the first line of a witness must be `0`, `1` or `2`"),
            Self::Property => f.write_str("expected the violated properties, such as `b0`"),
            Self::Justice => f.write_str("witnesses of justice properties are not supported"),
            Self::NoSuchBad(k) => write!(f, "the model has no bad-state property b{k}"),
            Self::Length { what, expected, found } => {
                write!(f, "the model has {expected} {what}, but the line has {found} values")
            }
            Self::Value(b) => write!(f, "`{}` is not a value (0, 1, x)", b.escape_ascii()),
        }
    }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for WitnessError {}

type Result<T> = std::result::Result<T, WitnessError>;

/// Reads the first witness of a text of either form: ABC's if a line ends in `# DONE`, else
/// AIGER's. `bad` is the property (position in [`Aig::bads`]) that the text is about if it does
/// not say so itself, as ABC's never does.
///
/// Nothing is simulated. Where several properties are listed the trace has the first one. `x`
/// is the latch's reset value or else 0.
///
/// # Errors
/// If the text has not the form, is cut off, or does not fit the graph.
pub fn read(text: &[u8], aig: &Aig, bad: usize) -> Result<Witness> {
    if text.split(|&b| b == b'\n').any(|line| trim(line).ends_with(DONE)) {
        read_abc(text, aig, bad).map(Witness::Violated)
    } else {
        read_aiger(text, aig, bad)
    }
}

/// ABC's mark of the end, on the line of the last vector.
const DONE: &[u8] = b"# DONE";

/// Reads the text of ABC's `write_cex -a` for the bad at position `bad`.
///
/// ABC writes 0 for latches with reset 1, and its passes (`fold`, `strash`) append latches and
/// drop others: so resets are taken from the graph, and the first state is looked at only if
/// there are latches without reset. Values beyond the graph's latches and inputs are ignored.
///
/// # Errors
/// If the text has not the form, is cut off, or does not fit the graph.
pub fn read_abc(text: &[u8], aig: &Aig, bad: usize) -> Result<Trace> {
    let mut lines = Lines::new(text);
    let first = lines.next("the first state")?;
    let free = aig.latches().iter().any(|l| l.reset == Reset::Free);
    let wanted = if free { aig.latches().len() } else { 0 };
    let mut initial = lines.values(first, "latches", wanted, true)?;
    initial.resize(aig.latches().len(), None);
    for (value, latch) in initial.iter_mut().zip(aig.latches()) {
        *value = reset(latch.reset).or(*value);
    }
    let mut inputs = Vec::new();
    loop {
        let line = lines.next("an input vector or `# DONE`")?;
        let (vector, done) = match line.strip_suffix(DONE) {
            Some(vector) => (trim(vector), true),
            None => (line, false),
        };
        inputs.push(known(lines.values(vector, "inputs", aig.inputs().len(), true)?));
        if done {
            check_bad(&lines, aig, bad)?;
            return Ok(Trace { bad, initial: known(initial), inputs });
        }
    }
}

/// Reads an AIGER witness; comments and `u` lines before the status are skipped. `bad` is the
/// property of a witness with status 0 or 2 that names none.
///
/// # Errors
/// If the text has not the form, is cut off, or does not fit the graph.
pub fn read_aiger(text: &[u8], aig: &Aig, bad: usize) -> Result<Witness> {
    let mut lines = Lines::new(text);
    let status = loop {
        let line = lines.next("the status")?;
        if !matches!(line.first(), Some(b'c' | b'u')) {
            break line;
        }
    };
    match status {
        b"1" => read_violation(lines, aig).map(Witness::Violated),
        b"0" | b"2" => {
            let holds = status == b"0";
            let bad = match lines.next("the property") {
                Ok(line) if line.starts_with(b"b") || line.starts_with(b"j") => {
                    property(&lines, line)?
                }
                _ => bad,
            };
            check_bad(&lines, aig, bad)?;
            Ok(if holds { Witness::Holds(bad) } else { Witness::Unknown(bad) })
        }
        _ => lines.error(WitnessErrorKind::Status),
    }
}

/// The lines after status 1.
fn read_violation(mut lines: Lines<'_>, aig: &Aig) -> Result<Trace> {
    let line = lines.next("the properties")?;
    let bad = property(&lines, line)?;
    check_bad(&lines, aig, bad)?;
    let line = lines.next("the first state")?;
    let mut initial = lines.values(line, "latches", aig.latches().len(), false)?;
    for (value, latch) in initial.iter_mut().zip(aig.latches()) {
        *value = value.or(reset(latch.reset));
    }
    let mut inputs = Vec::new();
    loop {
        let line = lines.next("an input vector or `.`")?;
        if line == b"." {
            break;
        }
        inputs.push(known(lines.values(line, "inputs", aig.inputs().len(), false)?));
    }
    if inputs.is_empty() {
        return lines.error(WitnessErrorKind::End("an input vector"));
    }
    Ok(Trace { bad, initial: known(initial), inputs })
}

/// The first property of a line such as `b0b3`.
fn property(lines: &Lines<'_>, line: &[u8]) -> Result<usize> {
    if line.contains(&b'j') {
        return lines.error(WitnessErrorKind::Justice);
    }
    let numbers = std::str::from_utf8(line).ok().and_then(|l| l.strip_prefix('b'));
    let number = |n: &str| n.bytes().all(|b| b.is_ascii_digit()).then(|| n.parse().ok()).flatten();
    let numbers: Option<Vec<usize>> = numbers.and_then(|n| n.split('b').map(number).collect());
    match numbers {
        Some(list) => Ok(list[0]),
        None => lines.error(WitnessErrorKind::Property),
    }
}

fn check_bad(lines: &Lines<'_>, aig: &Aig, bad: usize) -> Result<()> {
    if bad < aig.bads.len() { Ok(()) } else { lines.error(WitnessErrorKind::NoSuchBad(bad)) }
}

fn reset(reset: Reset) -> Option<bool> {
    match reset {
        Reset::Zero => Some(false),
        Reset::One => Some(true),
        Reset::Free => None,
    }
}

fn known(values: Vec<Option<bool>>) -> Vec<bool> {
    values.into_iter().map(|v| v.unwrap_or(false)).collect()
}

fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// The lines of a text with their numbers.
struct Lines<'a> {
    rest: Option<&'a [u8]>,
    /// Number of the line that was returned last, 1-based.
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Self {
        Lines { rest: Some(text), number: 0 }
    }

    /// The next line without trailing white space; the text must not end before it.
    fn next(&mut self, what: &'static str) -> Result<&'a [u8]> {
        self.number += 1;
        let Some(rest) = self.rest.filter(|r| !r.is_empty()) else {
            return self.error(WitnessErrorKind::End(what));
        };
        let mut parts = rest.splitn(2, |&b| b == b'\n');
        let line = parts.next().unwrap_or_default();
        self.rest = parts.next();
        Ok(trim(line))
    }

    fn error<T>(&self, kind: WitnessErrorKind) -> Result<T> {
        Err(WitnessError { line: self.number, kind })
    }

    /// The line's values, one for each of `expected` latches or inputs; `None` is `x`.
    fn values(
        &self,
        line: &[u8],
        what: &'static str,
        expected: usize,
        more_allowed: bool,
    ) -> Result<Vec<Option<bool>>> {
        let found = line.len();
        if found < expected || found > expected && !more_allowed {
            return self.error(WitnessErrorKind::Length { what, expected, found });
        }
        let value = |&b: &u8| match b {
            b'0' => Ok(Some(false)),
            b'1' => Ok(Some(true)),
            b'x' => Ok(None),
            _ => self.error(WitnessErrorKind::Value(b)),
        };
        // All values are looked at, but only the graph's are kept.
        let mut values = line.iter().map(value).collect::<Result<Vec<_>>>()?;
        values.truncate(expected);
        Ok(values)
    }
}

/// The AIGER witness, ended by `.` and a line break.
pub fn write(witness: &Witness) -> String {
    match witness {
        Witness::Holds(bad) => format!("0\nb{bad}\n.\n"),
        Witness::Unknown(bad) => format!("2\nb{bad}\n.\n"),
        Witness::Violated(trace) => {
            write_run(&format!("b{}", trace.bad), &trace.initial, &trace.inputs)
        }
    }
}

/// The AIGER witness of a run that violates the property with this label, such as `b0` or `j1`.
/// For justice the state after the last frame must be one that the run had before.
pub fn write_run(label: &str, initial: &[bool], inputs: &[Vec<bool>]) -> String {
    let line = |values: &[bool]| -> String {
        values.iter().map(|&v| if v { '1' } else { '0' }).chain(['\n']).collect()
    };
    let inputs: String = inputs.iter().map(|v| line(v)).collect();
    format!("1\n{label}\n{}{inputs}.\n", line(initial))
}

#[cfg(test)]
mod tests;
