//! What can be wrong with a BTOR2 file.

use std::fmt;

/// Why a file is not a BTOR2 file that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line, 1-based.
    pub line: usize,
    /// What is wrong there.
    pub kind: ReadErrorKind,
}

/// What is wrong on a line of a BTOR2 file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// Something else was expected: what, and the word found (`None` at the end of the line).
    Expected(&'static str, Option<String>),
    /// A byte outside of printable ASCII, before the comment.
    NotAscii(u8),
    /// A line's number is not above that of the line before.
    IdOrder {
        /// The number.
        id: u64,
        /// The highest number before.
        last: u64,
    },
    /// There is no such operator.
    Operator(String),
    /// No sort with this number is defined above.
    NoSuchSort(u64),
    /// No node with this number is defined above.
    NoSuchNode(u64),
    /// A bit-vector has another width than it must have here.
    Width {
        /// Which one.
        what: &'static str,
        /// The width that it must have.
        expected: u32,
        /// Its width.
        found: u32,
    },
    /// An array stands where a bit-vector must, or the other way round, or an array of another
    /// sort.
    Sort(&'static str),
    /// A width is 0 or above 128.
    Unsupported(u64),
    /// An array has too many elements to be kept one by one.
    ArrayTooLarge {
        /// Width of its index.
        index: u32,
    },
    /// The arrays' elements in all nodes together are too many.
    ArraysTooLarge,
    /// Elements of arrays that are not bit-vectors.
    NestedArray,
    /// The constant does not fit its width.
    Constant(String),
    /// The bits of a slice are not inside its operand.
    Slice {
        /// Highest bit.
        high: u64,
        /// Lowest bit.
        low: u64,
        /// Width of the operand.
        width: u32,
    },
    /// The node is not a state.
    NotAState(u64),
    /// The state has two of these.
    Twice(&'static str, u64),
    /// A state's initial value stands below the state and is no constant.
    InitOrder,
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what, None) => write!(f, "expected {what}, found the end of the line"),
            Self::Expected(what, Some(word)) => write!(f, "expected {what}, found `{word}`"),
            Self::NotAscii(b) => write!(f, "`{}` is not printable ASCII", b.escape_ascii()),
            Self::IdOrder { id, last } => {
                write!(f, "number {id} is not above {last}, which was used before")
            }
            Self::Operator(word) => write!(f, "unknown operator `{word}`"),
            Self::NoSuchSort(id) => write!(f, "no sort {id} is defined above"),
            Self::NoSuchNode(id) => write!(f, "no node {id} is defined above"),
            Self::Width { what, expected, found } => {
                write!(f, "{what} has width {found}, but must have width {expected}")
            }
            Self::Sort(what) => write!(f, "{what} has the wrong sort"),
            Self::Unsupported(width) => {
                write!(f, "bit-vectors of width {width} are not supported (1 to 128 are)")
            }
            Self::ArrayTooLarge { index } => write!(
                f,
                "arrays with an index of {index} bits are not supported (up to {} are)",
                super::array::MAX_INDEX
            ),
            Self::ArraysTooLarge => f.write_str("the file's arrays are too large to be read"),
            Self::NestedArray => f.write_str("arrays of arrays are not supported"),
            Self::Constant(text) => write!(f, "constant `{text}` does not fit its sort"),
            Self::Slice { high, low, width } => {
                write!(f, "bits {high} to {low} are not a slice of {width} bits")
            }
            Self::NotAState(id) => write!(f, "node {id} is not a state"),
            Self::Twice(what, id) => write!(f, "state {id} has a second {what}"),
            Self::InitOrder => {
                f.write_str("an initial value that is no constant must stand above its state")
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for ReadError {}
