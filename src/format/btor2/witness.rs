//! Witnesses of BTOR2 models: `sat`, the properties, and for each frame `k` a part `#k` with
//! values of states (those that the model leaves open) and a part `@k` with values of inputs,
//! then `.`; a value is the number of the state or input in the file, `[index]` for the element
//! of an array, and binary digits.

use std::fmt::{self, Write};

use super::layout::{Cell, Layout, Leaf};
use crate::base::IndexVec;
use crate::ts::{InputId, Run, TransitionSystem};

/// What a witness is about, by position in the system's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A bad.
    Bad(usize),
    /// A justice set.
    Justice(usize),
}

/// A run that violates properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The properties, at least one.
    pub properties: Vec<Property>,
    /// The run; what the text leaves open is 0.
    pub run: Run,
}

/// Why a text is not a witness of the system.
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
    /// Something else was expected.
    Expected(&'static str),
    /// The system has no such property.
    NoSuchProperty(Property),
    /// The model has no such `state` or `input`.
    NoSuchWord(&'static str, usize),
    /// A value or index has not the right number of digits.
    Length {
        /// How many there should be.
        expected: u32,
        /// How many there are.
        found: usize,
    },
}

impl fmt::Display for WitnessErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::NoSuchProperty(Property::Bad(k)) => write!(f, "the model has no bad {k}"),
            Self::NoSuchProperty(Property::Justice(k)) => {
                write!(f, "the model has no justice property {k}")
            }
            Self::NoSuchWord(what, k) => write!(f, "the model has no {what} {k}"),
            Self::Length { expected, found } => {
                write!(f, "{found} binary digits where {expected} belong")
            }
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

/// Reads the first witness of a text. Nothing is simulated.
///
/// # Errors
/// If the text has not the form, is cut off, or does not fit the system.
pub fn read_witness(text: &[u8], ts: &TransitionSystem, layout: &Layout) -> Result<Witness> {
    let mut reader = Reader {
        ts,
        layout,
        line: 0,
        properties: vec![],
        run: Run {
            initial: ts.states.iter().map(|s| s.init.unwrap_or(0)).collect(),
            inputs: vec![],
        },
        part: None,
    };
    for line in text.split(|&b| b == b'\n') {
        reader.line += 1;
        let end = line.iter().position(|&b| b == b';').unwrap_or(line.len());
        let Ok(line) = std::str::from_utf8(&line[..end]) else {
            return reader.expected("text");
        };
        if !line.trim().is_empty() && reader.words(line.trim())? {
            return Ok(Witness { properties: reader.properties, run: reader.run });
        }
    }
    reader.line += 1;
    reader.expected("a further line: the witness is cut off")
}

/// Which part of a frame the lines belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// After `sat`.
    Properties,
    States,
    Inputs,
}

struct Reader<'a> {
    ts: &'a TransitionSystem,
    layout: &'a Layout,
    line: usize,
    properties: Vec<Property>,
    run: Run,
    /// `None` before `sat`.
    part: Option<Part>,
}

impl Reader<'_> {
    fn error<T>(&self, kind: WitnessErrorKind) -> Result<T> {
        Err(WitnessError { line: self.line, kind })
    }

    fn expected<T>(&self, what: &'static str) -> Result<T> {
        self.error(WitnessErrorKind::Expected(what))
    }

    /// Takes a line; whether it is the last one.
    fn words(&mut self, line: &str) -> Result<bool> {
        let Some(part) = self.part else {
            if line != "sat" {
                return self.expected("`sat`");
            }
            self.part = Some(Part::Properties);
            return Ok(false);
        };
        if let Some(frame) = line.strip_prefix('#') {
            self.frame(frame, Part::States)?;
        } else if let Some(frame) = line.strip_prefix('@') {
            self.frame(frame, Part::Inputs)?;
        } else if line == "." {
            if self.properties.is_empty() || self.run.inputs.is_empty() {
                return self.expected("a property and a frame");
            }
            return Ok(true);
        } else if part == Part::Properties {
            line.split_ascii_whitespace().try_for_each(|word| self.property(word))?;
        } else {
            self.value(line, part)?;
        }
        Ok(false)
    }

    fn property(&mut self, word: &str) -> Result<()> {
        let number = |rest: &str| rest.parse::<usize>().ok().filter(|_| !rest.starts_with('+'));
        let property = match (word.strip_prefix('b'), word.strip_prefix('j')) {
            (Some(rest), _) => number(rest).map(Property::Bad),
            (_, Some(rest)) => number(rest).map(Property::Justice),
            _ => None,
        };
        let known = |p| match p {
            Property::Bad(k) => k < self.ts.bads.len(),
            Property::Justice(k) => k < self.ts.justice.len(),
        };
        match property {
            None => self.expected("properties, such as `b0`"),
            Some(p) if !known(p) => self.error(WitnessErrorKind::NoSuchProperty(p)),
            Some(p) => {
                self.properties.push(p);
                Ok(())
            }
        }
    }

    /// The start of a part: `#k` opens frame `k`, `@k` goes on with it or opens it.
    fn frame(&mut self, number: &str, part: Part) -> Result<()> {
        let Ok(number) = number.parse::<usize>() else { return self.expected("a frame's number") };
        let count = self.run.inputs.len();
        let goes_on = part == Part::Inputs
            && self.part == Some(Part::States)
            && Some(number) == count.checked_sub(1);
        if !goes_on {
            if number != count {
                return self.expected("the next frame's number");
            }
            self.run.inputs.push(IndexVec::filled(0, self.ts.inputs.len()));
        }
        self.part = Some(part);
        Ok(())
    }

    /// An assignment.
    fn value(&mut self, line: &str, part: Part) -> Result<()> {
        let (what, leaves) = match part {
            Part::States => ("state", &self.layout.states),
            _ => ("input", &self.layout.inputs),
        };
        let mut words = line.split_ascii_whitespace();
        let Some(position) = words.next().and_then(|w| w.parse::<usize>().ok()) else {
            return self.expected("a value, a frame, or `.`");
        };
        let Some(leaf) = leaves.get(position) else {
            return self.error(WitnessErrorKind::NoSuchWord(what, position));
        };
        let cell = match leaf.index {
            None => leaf.cells[0],
            Some(width) => {
                let word = words.next().and_then(|w| w.strip_prefix('[')?.strip_suffix(']'));
                let Some(index) = word else { return self.expected("an index in brackets") };
                leaf.cells[self.digits(index, width)? as usize]
            }
        };
        let Some(digits) = words.next() else { return self.expected("binary digits") };
        match cell {
            Cell::Input(input) => {
                let value = self.digits(digits, self.ts.inputs[input].width)?;
                self.run.inputs.last_mut().expect("a frame is open")[input] = value;
            }
            Cell::State(state) => {
                let value = self.digits(digits, self.ts.states[state].width)?;
                if self.run.inputs.len() == 1 {
                    self.run.initial[state] = value;
                }
            }
        }
        Ok(())
    }

    fn digits(&self, digits: &str, width: u32) -> Result<u128> {
        if digits.len() != width as usize {
            return self.error(WitnessErrorKind::Length { expected: width, found: digits.len() });
        }
        digits.bytes().try_fold(0, |value, b| match b {
            b'0' | b'x' => Ok(value << 1),
            b'1' => Ok(value << 1 | 1),
            _ => self.expected("a binary digit"),
        })
    }
}

/// The text of a witness.
///
/// # Panics
/// If the run is not one of the system.
pub fn write_witness(witness: &Witness, ts: &TransitionSystem, layout: &Layout) -> String {
    let mut out = String::from("sat\n");
    let properties = witness.properties.iter().map(|p| match p {
        Property::Bad(k) => format!("b{k}"),
        Property::Justice(k) => format!("j{k}"),
    });
    out += &properties.collect::<Vec<_>>().join(" ");
    out.push('\n');
    for (k, inputs) in witness.run.inputs.iter().enumerate() {
        let mut states = String::new();
        for (position, leaf) in layout.states.iter().enumerate() {
            let is_input = matches!(leaf.cells.first(), Some(Cell::Input(_)));
            if if k == 0 { leaf.free } else { is_input } {
                values(&mut states, position, leaf, ts, &witness.run, inputs);
            }
        }
        if k == 0 || !states.is_empty() {
            let _ = write!(out, "#{k}\n{states}");
        }
        let _ = writeln!(out, "@{k}");
        for (position, leaf) in layout.inputs.iter().enumerate() {
            values(&mut out, position, leaf, ts, &witness.run, inputs);
        }
    }
    out + ".\n"
}

/// The lines of a leaf's values.
fn values(
    out: &mut String,
    position: usize,
    leaf: &Leaf,
    ts: &TransitionSystem,
    run: &Run,
    inputs: &IndexVec<InputId, u128>,
) {
    for (k, &cell) in leaf.cells.iter().enumerate() {
        let (value, width, name) = match cell {
            Cell::Input(id) => (inputs[id], ts.inputs[id].width, &ts.inputs[id].name),
            Cell::State(id) => (run.initial[id], ts.states[id].width, &ts.states[id].name),
        };
        let index = leaf.index.map_or_else(String::new, |w| format!("[{k:00$b}] ", w as usize));
        let name: String =
            name.chars().map(|c| if c.is_ascii_graphic() && c != ';' { c } else { '_' }).collect();
        let _ = writeln!(out, "{position} {index}{value:00$b} {name}", width as usize);
    }
}
