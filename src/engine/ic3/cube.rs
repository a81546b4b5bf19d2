//! Sets of states.

use std::fmt;

/// "This latch has this value".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateLit(u32);

impl StateLit {
    /// The latch at this position of the circuit's list.
    pub(super) fn new(latch: usize, value: bool) -> Self {
        Self((latch as u32) << 1 | u32::from(!value))
    }

    /// Position of the latch.
    pub(super) fn latch(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Its value.
    pub(super) fn value(self) -> bool {
        self.0 & 1 == 0
    }
}

impl fmt::Debug for StateLit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.value() { "" } else { "!" }, self.latch())
    }
}

/// The states in which some latches have certain values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cube {
    /// Sorted, one for each latch at most.
    lits: Box<[StateLit]>,
    /// A bit for each literal's hash: a subset's bits are a subset.
    signature: u64,
}

impl Cube {
    /// The states in which all of `lits` hold.
    pub(super) fn new(mut lits: Vec<StateLit>) -> Self {
        lits.sort_unstable();
        debug_assert!(lits.windows(2).all(|w| w[0].latch() < w[1].latch()), "{lits:?}");
        let signature = lits.iter().fold(0, |s, l| s | 1 << (l.0.wrapping_mul(0x9e37_79b1) >> 26));
        Self { lits: lits.into_boxed_slice(), signature }
    }

    /// Its literals, sorted.
    pub(super) fn lits(&self) -> &[StateLit] {
        &self.lits
    }

    /// Whether each state of `other` is one of `self`.
    pub(super) fn contains(&self, other: &Cube) -> bool {
        if self.lits.len() > other.lits.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|l| rest.any(|o| o == l))
    }
}

/// Values of some latches, for quick comparison.
#[derive(Debug)]
pub(super) struct Partial {
    /// A bit for each [`StateLit`].
    bits: Box<[u64]>,
}

impl Partial {
    /// The values that `lits` say, of which none contradicts another.
    pub(super) fn of(lits: &[StateLit]) -> Self {
        let words = lits.iter().map(|l| l.0 as usize / 64 + 1).max().unwrap_or(0);
        let mut bits = vec![0; words].into_boxed_slice();
        for lit in lits {
            bits[lit.0 as usize / 64] |= 1 << (lit.0 % 64);
        }
        Self { bits }
    }

    /// Whether no state with these values is in the cube.
    pub(super) fn avoids(&self, cube: &Cube) -> bool {
        let has = |code: u32| {
            self.bits.get(code as usize / 64).is_some_and(|word| word >> (code % 64) & 1 == 1)
        };
        cube.lits.iter().any(|l| has(l.0 ^ 1))
    }
}
