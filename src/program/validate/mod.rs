//! The rules that every thread program keeps and that can be read off it.
//!
//! Front ends and passes call [`validate`] on what they made. Whether the guards at a location
//! are exclusive and exhaustive, and whether two assignments of an edge write the same bytes,
//! shows only when the program runs: the interpreter then reports an `InternalError`.

mod check;
mod edges;
mod error;

#[cfg(test)]
mod tests;

pub use check::validate;
pub use error::{Invalid, Part, Rule};
