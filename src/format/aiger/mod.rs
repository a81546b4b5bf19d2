//! AIGER 1.9 (Biere, Heljanko, Wieringa: AIGER 1.9 and beyond, FMV report 11/2, 2011), ASCII
//! (`aag`) and binary (`aig`), with bads, constraints, justice, fairness, latch resets, symbols
//! and comments.

mod error;
mod parse;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use error::{Place, ReadError, ReadErrorKind, WriteError};
pub use read::read;
pub use write::{Encoding, WriteOptions, write};
