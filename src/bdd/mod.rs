//! Binary decision diagrams (Bryant: Graph-based algorithms for Boolean function manipulation,
//! IEEE Transactions on Computers 35(8), 1986), with complement edges and one thread, on oxidd.
//!
//! A caller makes a [`Manager`] with a fixed number of variables in a fixed order and a limit of
//! nodes, and never sees the library behind it. Equal functions of one manager are equal values.
//! Reaching the limit is an error, [`OutOfNodes`]. A single operation cannot be interrupted: its
//! work is bounded by the limit only, so callers ask their budget between operations. The tests
//! of this module check every operation against truth tables.

mod function;
mod manager;
#[cfg(test)]
mod tests;

pub use function::{Bdd, Branch, Renaming};
pub use manager::{Level, Manager, OutOfNodes};
