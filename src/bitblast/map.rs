//! Where the words of a transition system are in its bit-blasted graph.

use std::ops::Range;

use crate::base::{Id, IndexVec};
use crate::ts::{InputId, StateId, TransitionSystem};

/// Positions of words in the inputs and latches of an [`Aig`](crate::aig::Aig). A frame is a
/// slice of the values of all its inputs, or all its latches, in order.
#[derive(Clone, Debug)]
pub struct BitMap {
    inputs: IndexVec<InputId, Range<usize>>,
    states: IndexVec<StateId, Range<usize>>,
}

/// Consecutive ranges of the given lengths.
fn ranges<I: Id>(widths: impl Iterator<Item = u32>) -> IndexVec<I, Range<usize>> {
    widths
        .scan(0, |end, width| {
            let start = *end;
            *end += width as usize;
            Some(start..*end)
        })
        .collect()
}

fn read(bits: &[bool]) -> u128 {
    bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit))
}

fn write<I: Id>(ranges: &IndexVec<I, Range<usize>>, mut value: impl FnMut(I) -> u128) -> Vec<bool> {
    let mut bits = vec![];
    for (id, range) in ranges.iter_enumerated() {
        let v = value(id);
        bits.extend((0..range.len()).map(|k| v >> k & 1 == 1));
    }
    bits
}

impl BitMap {
    pub(super) fn new(ts: &TransitionSystem) -> Self {
        Self {
            inputs: ranges(ts.inputs.iter().map(|x| x.width)),
            states: ranges(ts.states.iter().map(|x| x.width)),
        }
    }

    /// Positions in [`Aig::inputs`](crate::aig::Aig::inputs), from the lowest bit up.
    pub fn input_positions(&self, input: InputId) -> Range<usize> {
        self.inputs[input].clone()
    }

    /// Positions in [`Aig::latches`](crate::aig::Aig::latches), from the lowest bit up.
    pub fn state_positions(&self, state: StateId) -> Range<usize> {
        self.states[state].clone()
    }

    /// The input's value in a frame of the graph's inputs.
    ///
    /// # Panics
    /// If the frame is shorter than the graph's inputs.
    pub fn input_value(&self, input: InputId, frame: &[bool]) -> u128 {
        read(&frame[self.input_positions(input)])
    }

    /// The state's value in a frame of the graph's latches.
    ///
    /// # Panics
    /// If the frame is shorter than the graph's latches.
    pub fn state_value(&self, state: StateId, frame: &[bool]) -> u128 {
        read(&frame[self.state_positions(state)])
    }

    /// A frame of the graph's inputs from the words' values; bits above a word are ignored.
    pub fn input_frame(&self, value: impl FnMut(InputId) -> u128) -> Vec<bool> {
        write(&self.inputs, value)
    }

    /// A frame of the graph's latches from the words' values; bits above a word are ignored.
    pub fn state_frame(&self, value: impl FnMut(StateId) -> u128) -> Vec<bool> {
        write(&self.states, value)
    }
}
