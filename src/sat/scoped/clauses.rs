//! Storage of clauses.

use super::super::Lit;

/// Place of a clause in [`Clauses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseRef(u32);

/// Words before a clause's literals: their number, and the clause's rank.
const HEADER: usize = 2;

/// Clauses, one after the other.
#[derive(Default)]
pub(super) struct Clauses {
    words: Vec<u32>,
    /// Words of removed clauses.
    wasted: usize,
}

impl Clauses {
    /// Adds a clause; a low rank makes a learned clause worth keeping.
    pub(super) fn add(&mut self, lits: &[Lit], rank: u32) -> ClauseRef {
        let place = u32::try_from(self.words.len()).expect("more than 16 GB of clauses");
        self.words.extend([lits.len() as u32, rank]);
        self.words.extend(lits.iter().map(|l| l.code()));
        ClauseRef(place)
    }

    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }

    pub(super) fn rank(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    pub(super) fn lit(&self, clause: ClauseRef, position: usize) -> Lit {
        Lit::from_code(self.words[clause.0 as usize + HEADER + position])
    }

    fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    /// The codes of the clause's literals, to be reordered.
    pub(super) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.0 as usize + HEADER;
        let end = start + self.len(clause);
        &mut self.words[start..end]
    }

    /// Forgets a clause. It must not be used again.
    pub(super) fn remove(&mut self, clause: ClauseRef) {
        let size = HEADER + self.len(clause);
        if clause.0 as usize + size == self.words.len() {
            self.words.truncate(clause.0 as usize);
        } else {
            self.wasted += size;
        }
    }

    /// Whether much of the memory is wasted.
    pub(super) fn is_sparse(&self) -> bool {
        self.wasted > 1 << 14 && self.wasted > self.words.len() / 2
    }

    /// Copies a clause that is not removed.
    pub(super) fn copy(&mut self, from: &Clauses, clause: ClauseRef) -> ClauseRef {
        let place = self.words.len() as u32;
        self.words.extend([from.len(clause) as u32, from.rank(clause)]);
        self.words.extend(from.codes(clause));
        ClauseRef(place)
    }
}
