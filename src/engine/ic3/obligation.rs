//! Cubes that are to be blocked, or shown to be reached.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cube::Cube;
use crate::base::IndexVec;

crate::define_id! {
    /// An obligation of an [`Obligations`].
    pub struct ObligationId, "o";
}

/// From every state of the cube, the inputs lead into the next obligation's cube, or to a bad
/// frame if there is none.
#[derive(Debug)]
pub(super) struct Obligation {
    pub(super) cube: Cube,
    /// Values of all inputs.
    pub(super) inputs: Vec<bool>,
    pub(super) next: Option<ObligationId>,
    /// Number of predecessors that were found so far.
    pub(super) predecessors: usize,
}

/// Obligations, and a queue of some of them with the frames in which to block them: the lowest
/// frame comes first, in it the one that was added last.
#[derive(Default)]
pub(super) struct Obligations {
    all: IndexVec<ObligationId, Obligation>,
    queue: BTreeMap<(usize, Reverse<usize>), ObligationId>,
    /// Number of insertions into the queue.
    inserted: usize,
}

impl Obligations {
    pub(super) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id]
    }

    pub(super) fn add(&mut self, obligation: Obligation) -> ObligationId {
        self.all.push(obligation)
    }

    /// Notes that one more predecessor of the obligation was found.
    pub(super) fn count_predecessor(&mut self, id: ObligationId) {
        self.all[id].predecessors += 1;
    }

    pub(super) fn enqueue(&mut self, level: usize, id: ObligationId) {
        self.queue.insert((level, Reverse(self.inserted)), id);
        self.inserted += 1;
    }

    pub(super) fn pop(&mut self) -> Option<(usize, ObligationId)> {
        let ((level, _), id) = self.queue.pop_first()?;
        Some((level, id))
    }

    /// The inputs from the obligation's cube to the bad frame, that of the bad frame included.
    pub(super) fn inputs(&self, id: ObligationId) -> Vec<Vec<bool>> {
        let path = std::iter::successors(Some(id), |&id| self.all[id].next);
        path.map(|id| self.all[id].inputs.clone()).collect()
    }
}
