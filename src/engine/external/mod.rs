//! Programs of others as engines.

pub mod process;
