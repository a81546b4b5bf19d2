//! Traces, and the text form of them (`show_traces`, plug-ins 0 and 1).

use super::value::parse;
use super::{TraceError, TraceErrorKind, Variables};
use crate::base::{HashMap, IndexVec};
use crate::ts::Run;

/// A trace as a run of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmvTrace {
    /// The run; of a lasso up to the first state's return, that one included.
    pub run: Run,
    /// The frames, counted from 0, to which the last one is equal or may go back.
    pub loops: Vec<usize>,
}

/// Collects the values of a trace.
pub(super) struct Collector<'a> {
    variables: &'a Variables,
    /// Position of each variable, inputs first, and its width.
    positions: HashMap<&'a str, (usize, u32)>,
    /// Values so far in each frame.
    frames: Vec<Vec<Option<u128>>>,
    pub loops: Vec<usize>,
}

pub(super) type Result<T> = std::result::Result<T, TraceError>;

impl<'a> Collector<'a> {
    pub fn new(variables: &'a Variables) -> Self {
        let positions = variables.iter().enumerate().map(|(k, v)| (v.name.as_str(), (k, v.width)));
        Collector { variables, positions: positions.collect(), frames: vec![], loops: vec![] }
    }

    /// How many states there are so far.
    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// The next state; what it does not say is as in the one before.
    pub fn state(&mut self) {
        let before = self.frames.last().cloned();
        self.frames.push(before.unwrap_or_else(|| vec![None; self.positions.len()]));
    }

    /// A value in the current state; variables that are none of the model's are ignored.
    pub fn value(&mut self, name: &str, text: &str, line: usize) -> Result<()> {
        let error = |kind| Err(TraceError { line, kind });
        let Some(&(position, width)) = self.positions.get(name) else { return Ok(()) };
        let Some(value) = parse(text, width) else {
            return error(TraceErrorKind::Value(text.chars().take(60).collect()));
        };
        match self.frames.last_mut() {
            Some(frame) => frame[position] = Some(value),
            None => return error(TraceErrorKind::NoState),
        }
        Ok(())
    }

    /// The trace; `line` is that of its end.
    pub fn finish(self, line: usize) -> Result<SmvTrace> {
        let error = |kind| Err(TraceError { line, kind });
        let Some(first) = self.frames.first() else { return error(TraceErrorKind::Empty) };
        if let Some(k) = first.iter().position(Option::is_none) {
            let name = self.variables.iter().nth(k).map(|v| v.name.clone());
            return error(TraceErrorKind::Missing(name.unwrap_or_default()));
        }
        let count = self.variables.inputs.len();
        let known = |values: &[Option<u128>]| -> Vec<u128> {
            values.iter().map(|v| v.unwrap_or(0)).collect()
        };
        let run = Run {
            initial: IndexVec::from_vec(known(&first[count..])),
            inputs: self.frames.iter().map(|f| IndexVec::from_vec(known(&f[..count]))).collect(),
        };
        Ok(SmvTrace { run, loops: self.loops })
    }
}

/// Reads the first trace of a text that NuSMV or nuXmv printed.
///
/// # Errors
/// If there is none, or it does not fit the model.
pub fn read_text(text: &str, variables: &Variables) -> Result<SmvTrace> {
    let mut collector = Collector::new(variables);
    let mut last = 0;
    for (k, line) in text.lines().enumerate() {
        let number = k + 1;
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("-> State: ") {
            let state = rest.trim_end_matches("<-").trim();
            let position = state.split_once('.').and_then(|(_, n)| n.parse::<usize>().ok());
            match position {
                // Another trace begins.
                Some(1) if collector.count() > 0 => break,
                Some(n) if n == collector.count() + 1 => collector.state(),
                _ => {
                    let text = state.chars().take(60).collect();
                    return Err(TraceError {
                        line: number,
                        kind: TraceErrorKind::StateNumber(text),
                    });
                }
            }
        } else if line.starts_with("-- Loop starts here") {
            collector.loops.push(collector.count());
        } else if collector.count() > 0
            && let Some((name, value)) = line.split_once(" = ")
        {
            collector.value(name, value, number)?;
        }
        last = number;
    }
    collector.finish(last + 1)
}
