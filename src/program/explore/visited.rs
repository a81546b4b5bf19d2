//! The states already seen, and those still to be expanded.

use std::collections::VecDeque;

use indexmap::IndexSet;

use crate::base::{FixedState, HashSet};

/// How the explorer remembers which states it has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VisitedKind {
    /// All states are kept.
    #[default]
    Exact,
    /// 128-bit hashes of the states and the states still to be expanded are kept. For `n` states,
    /// the chance that one is lost is about `n^2 / 2^129`.
    Hash128,
}

/// Packed states in the order in which they were found; they are expanded in this order too.
pub(super) enum Visited {
    Exact { states: IndexSet<Box<[u64]>, FixedState>, expanded: usize },
    Hashed { hashes: HashSet<u128>, queue: VecDeque<Box<[u64]>> },
}

impl Visited {
    pub(super) fn new(kind: VisitedKind) -> Self {
        match kind {
            VisitedKind::Exact => Self::Exact { states: IndexSet::default(), expanded: 0 },
            VisitedKind::Hash128 => {
                Self::Hashed { hashes: HashSet::default(), queue: VecDeque::new() }
            }
        }
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Exact { states, .. } => states.len(),
            Self::Hashed { hashes, .. } => hashes.len(),
        }
    }

    /// Adds a state; whether it is new.
    pub(super) fn insert(&mut self, state: &[u64]) -> bool {
        match self {
            Self::Exact { states, .. } => {
                !states.contains(state) && states.insert(Box::from(state))
            }
            Self::Hashed { hashes, queue } => {
                let new = hashes.insert(hash128(state));
                if new {
                    queue.push_back(Box::from(state));
                }
                new
            }
        }
    }

    /// Copies the next state to be expanded into `state`; `false` if there is none.
    pub(super) fn next(&mut self, state: &mut [u64]) -> bool {
        match self {
            Self::Exact { states, expanded } => match states.get_index(*expanded) {
                Some(next) => {
                    state.copy_from_slice(next);
                    *expanded += 1;
                    true
                }
                None => false,
            },
            Self::Hashed { queue, .. } => match queue.pop_front() {
                Some(next) => {
                    state.copy_from_slice(&next);
                    true
                }
                None => false,
            },
        }
    }
}

/// A hash whose every round is a bijection of the 128-bit state for a given word, so that states
/// of one word never collide.
fn hash128(words: &[u64]) -> u128 {
    const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
    let mut h: u128 = 0x6c61_7463_6877_6f72_6b20_7374_6174_6573;
    for &word in words {
        for _ in 0..2 {
            h = (h ^ u128::from(word)).wrapping_mul(MULTIPLIER);
            h ^= h >> 67;
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_similar_states_differ() {
        let mut seen = HashSet::default();
        for a in 0..300u64 {
            for b in 0..300u64 {
                assert!(seen.insert(hash128(&[a << 40, b])), "{a} {b}");
                assert!(seen.insert(hash128(&[a << 40 | 1, b << 13])), "{a} {b}");
            }
        }
    }

    #[test]
    fn both_kinds_give_states_once_and_in_order() {
        for kind in [VisitedKind::Exact, VisitedKind::Hash128] {
            let mut visited = Visited::new(kind);
            assert!(visited.insert(&[3, 1]) && visited.insert(&[1, 3]) && !visited.insert(&[3, 1]));
            let mut state = [0, 0];
            assert!(visited.next(&mut state));
            assert_eq!(state, [3, 1]);
            assert!(visited.insert(&[7, 7]) && visited.next(&mut state));
            assert_eq!((state, visited.len()), ([1, 3], 3));
            assert!(visited.next(&mut state) && !visited.next(&mut state));
        }
    }
}
