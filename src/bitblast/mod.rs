//! From word-level transition systems to sequential and-inverter graphs, and the map back.
//!
//! Input: a [`TransitionSystem`](crate::ts::TransitionSystem). Output: an
//! [`Aig`](crate::aig::Aig) with one input or latch per bit, in the order of the words and from
//! the lowest bit up, named `word[bit]` (`word` alone if its width is 1), with the same
//! constraints and properties in the same order; and a [`BitMap`] that says where each word is.
//! Every word-level run is a run of the graph and the other way round.

mod arith;
mod blaster;
mod map;
#[cfg(test)]
mod tests;
mod word;

pub use blaster::{Bitblaster, bitblast};
pub use map::BitMap;
