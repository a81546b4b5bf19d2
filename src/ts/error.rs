//! What can be wrong with a transition system.

use std::fmt;

/// A transition system that breaks its own rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TsError {
    /// Two inputs or states have this name.
    DuplicateName(String),
    /// An input or state with this name is not its own leaf, or that leaf's width is another.
    Leaf(String),
    /// The named state, property or output has an expression that is not in the pool.
    NotInPool(String),
    /// The named state or property has an expression of this width instead of the other.
    Width {
        /// The name of the state or property.
        name: String,
        /// The expression's width.
        found: u32,
        /// The right width.
        expected: u32,
    },
    /// The named state's initial value does not fit its width.
    Init(String),
}

impl fmt::Display for TsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TsError::DuplicateName(name) => write!(f, "two inputs or states named `{name}`"),
            TsError::Leaf(name) => write!(f, "`{name}` is not its own leaf"),
            TsError::NotInPool(name) => write!(f, "an expression of `{name}` is not in the pool"),
            TsError::Width { name, found, expected } => {
                write!(f, "an expression of `{name}` has width {found} instead of {expected}")
            }
            TsError::Init(name) => write!(f, "the initial value of `{name}` exceeds its width"),
        }
    }
}

impl std::error::Error for TsError {}
