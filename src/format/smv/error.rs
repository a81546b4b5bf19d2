//! What can be wrong with a trace.

use std::fmt;

/// Why a text is not a trace of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Line, 1-based.
    pub line: usize,
    /// What is wrong there.
    pub kind: TraceErrorKind,
}

/// What is wrong on a line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceErrorKind {
    /// It is not well-formed XML; the reader's message.
    Xml(String),
    /// A state's number is not the next one.
    StateNumber(String),
    /// The value is not one of the variable's type.
    Value(String),
    /// A value stands before the first state.
    NoState,
    /// There is no state.
    Empty,
    /// The first state lacks a value of this variable.
    Missing(String),
    /// A number in the list of loops is none of a state.
    Loop(String),
}

impl fmt::Display for TraceErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xml(message) => write!(f, "not well-formed XML: {message}"),
            Self::StateNumber(text) => write!(f, "`{text}` is not the next state's number"),
            Self::Value(text) => write!(f, "`{text}` is not a value of its variable"),
            Self::NoState => f.write_str("a value stands before the first state"),
            Self::Empty => f.write_str("the trace has no state"),
            Self::Missing(name) => write!(f, "the first state lacks a value of `{name}`"),
            Self::Loop(text) => write!(f, "`{text}` is not the number of a state"),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for TraceError {}
