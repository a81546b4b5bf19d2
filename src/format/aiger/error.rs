//! What can be wrong with an AIGER file, or with a graph that is to become one.

use std::fmt;

/// Where in a file an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of an ASCII file, 1-based.
    Line(usize),
    /// Offset in a binary file, 0-based.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// Why a file is not an AIGER file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where reading failed.
    pub place: Place,
    /// What is wrong there.
    pub kind: ReadErrorKind,
}

/// What is wrong at one place of an AIGER file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The file begins with neither `aag ` nor `aig `.
    Magic,
    /// Something else was expected: what, and the byte found (`None` at the end of the file).
    Expected(&'static str, Option<u8>),
    /// A number is above 2^32 - 1.
    NumberTooLarge,
    /// The maximum variable is above 2^31 - 1.
    TooManyVariables(u32),
    /// The maximum variable is below (or, in a binary file, not equal to) the sum of the counts.
    Counts {
        /// The header's maximum variable.
        maximum: u32,
        /// Inputs, latches and ands together.
        sum: u64,
    },
    /// A binary file claims more inputs, which take no bytes there, than this reader accepts.
    TooManyInputs(u32),
    /// The literal is above `2 * maximum variable + 1`.
    LiteralTooLarge {
        /// The literal.
        literal: u32,
        /// The largest one allowed.
        largest: u32,
    },
    /// An input, latch or and is defined by a constant or a negated literal.
    NotAVariable(u32),
    /// The literal was defined before.
    DefinedTwice(u32),
    /// The literal is used, but nothing defines it.
    Undefined(u32),
    /// The and with this literal depends on itself without a latch in between.
    Cycle(u32),
    /// A latch's reset is not 0, 1 or the latch's own literal.
    Reset(u32),
    /// An and's operands in a binary file are not below it and in order.
    Difference,
    /// There is no item with this position to be named.
    SymbolPosition(u32),
    /// The item has two symbols.
    SymbolTwice(u32),
    /// A symbol has this byte, which is not printable ASCII.
    NotAscii(u8),
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not an AIGER file (it must begin with `aag` or `aig`)"),
            Self::Expected(what, None) => write!(f, "expected {what}, found the end of the file"),
            Self::Expected(what, Some(b)) => {
                write!(f, "expected {what}, found `{}`", b.escape_ascii())
            }
            Self::NumberTooLarge => f.write_str("a number is above 4294967295"),
            Self::TooManyVariables(m) => {
                write!(f, "the maximum variable {m} is above 2147483647")
            }
            Self::Counts { maximum, sum } => write!(
                f,
                "the maximum variable {maximum} does not fit {sum} inputs, latches and ands"
            ),
            Self::TooManyInputs(n) => write!(f, "{n} inputs are more than this reader accepts"),
            Self::LiteralTooLarge { literal, largest } => {
                write!(f, "literal {literal} is above {largest}, the header's largest")
            }
            Self::NotAVariable(l) => write!(f, "literal {l} cannot be defined"),
            Self::DefinedTwice(l) => write!(f, "literal {l} is defined twice"),
            Self::Undefined(l) => write!(f, "literal {l} is not defined"),
            Self::Cycle(l) => write!(f, "and {l} depends on itself"),
            Self::Reset(r) => {
                write!(f, "reset {r} is neither 0 nor 1 nor the latch's own literal")
            }
            Self::Difference => f.write_str("an and's operands are not below it, in order"),
            Self::SymbolPosition(k) => write!(f, "there is no item {k} to be named"),
            Self::SymbolTwice(k) => write!(f, "item {k} has two symbols"),
            Self::NotAscii(b) => {
                write!(f, "`{}` in a symbol is not printable ASCII", b.escape_ascii())
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for ReadError {}

/// Why a graph cannot be written as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// Bads are to become plain outputs, but there are constraints, which would be lost.
    ConstraintsLost,
    /// Bads are to become plain outputs, but there is justice or fairness, which would be lost.
    JusticeLost,
    /// Bads are to become plain outputs for readers that take a latch without reset (named, or
    /// by position) to start at 0.
    FreeLatch(String),
    /// A symbol has a character in it that is not printable ASCII.
    Symbol(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ConstraintsLost => f.write_str("plain outputs cannot express constraints"),
            Self::JusticeLost => f.write_str("plain outputs cannot express justice or fairness"),
            Self::FreeLatch(latch) => {
                write!(
                    f,
                    "plain-output readers would start latch {latch}, which has no reset, at 0"
                )
            }
            Self::Symbol(name) => write!(f, "symbol {name:?} is not printable ASCII"),
        }
    }
}

impl std::error::Error for WriteError {}
