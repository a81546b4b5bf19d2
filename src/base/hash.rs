//! Hash maps with a fixed seed. Their iteration order must still never decide anything that
//! reaches output: use `indexmap::IndexMap` or sort where order matters.

use std::hash::BuildHasher;

/// A hasher builder with constant seeds: the same keys hash alike in every run.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedState;

impl BuildHasher for FixedState {
    type Hasher = ahash::AHasher;

    fn build_hasher(&self) -> Self::Hasher {
        ahash::RandomState::with_seeds(0x6c61_7463, 0x6877_6f72, 0x6b2d_6669, 0x7865_6421)
            .build_hasher()
    }
}

/// A hash map with a fixed seed, for lookups only.
pub type HashMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A hash set with a fixed seed, for membership only.
pub type HashSet<K> = std::collections::HashSet<K, FixedState>;
