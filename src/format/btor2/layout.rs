//! Where a file's inputs and states are in its transition system.

use crate::ts::{InputId, StateId, TransitionSystem};

/// One word of a transition system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// An input. It may come from a state line without `next`.
    Input(InputId),
    /// A state.
    State(StateId),
}

/// What became of an `input` or `state` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The word, or all elements of an array in the order of their indices.
    pub cells: Vec<Cell>,
    /// Width of the index, for an array.
    pub index: Option<u32>,
    /// Whether the file leaves the first value open.
    pub free: bool,
}

/// All `input` and `state` lines of a file, in order: a witness numbers either from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The input lines.
    pub inputs: Vec<Leaf>,
    /// The state lines.
    pub states: Vec<Leaf>,
}

impl Layout {
    /// The layout of the file that [`write`](super::write()) makes.
    pub fn of(ts: &TransitionSystem) -> Self {
        let word = |cell, free| Leaf { cells: vec![cell], index: None, free };
        let states = ts.states.iter_enumerated();
        Layout {
            inputs: ts.inputs.ids().map(|id| word(Cell::Input(id), true)).collect(),
            states: states.map(|(id, s)| word(Cell::State(id), s.init.is_none())).collect(),
        }
    }
}
