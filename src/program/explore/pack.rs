//! States as short bit strings.

use crate::base::Id;
use crate::expr::mask;
use crate::program::{LocId, Program, State, ThreadId, VarId};

/// Bits of one word that hold a part of a field.
#[derive(Clone, Copy)]
struct Slot {
    word: u32,
    shift: u32,
    /// Number of bits, 0 to 64.
    width: u32,
}

/// Where the variables and locations of a state are in its packed form. No two states of a
/// program have the same packed form.
pub(super) struct Layout {
    /// Low and high 64 bits of each variable; `None` if there are no high ones.
    vars: Box<[(Slot, Option<Slot>)]>,
    threads: Box<[Slot]>,
    /// Length of a packed state in words.
    words: usize,
}

#[derive(Default)]
struct Allocator {
    word: u32,
    used: u32,
}

impl Allocator {
    /// `width` bits (0 to 64) of one word.
    fn take(&mut self, width: u32) -> Slot {
        if self.used + width > 64 {
            self.word += 1;
            self.used = 0;
        }
        let slot = Slot { word: self.word, shift: self.used, width };
        self.used += width;
        slot
    }
}

impl Slot {
    fn get(self, words: &[u64]) -> u64 {
        if self.width == 0 {
            return 0;
        }
        (words[self.word as usize] >> self.shift) & mask(self.width) as u64
    }

    fn set(self, words: &mut [u64], value: u64) {
        if self.width > 0 {
            let word = &mut words[self.word as usize];
            let field = (mask(self.width) as u64) << self.shift;
            *word = (*word & !field) | (value << self.shift);
        }
    }
}

impl Layout {
    pub(super) fn new(program: &Program) -> Self {
        let mut allocator = Allocator::default();
        let threads = program
            .threads
            .iter()
            .map(|t| allocator.take(usize::BITS - (t.locations.len() - 1).leading_zeros()))
            .collect();
        let vars = program
            .vars
            .iter()
            .map(|v| {
                let low = allocator.take(v.width.min(64));
                (low, (v.width > 64).then(|| allocator.take(v.width - 64)))
            })
            .collect();
        Self { vars, threads, words: allocator.word as usize + 1 }
    }

    pub(super) fn pack(&self, state: &State) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for (k, &loc) in state.locs().iter().enumerate() {
            self.set_loc(&mut words, ThreadId::new(k), loc);
        }
        for (k, &value) in state.values().iter().enumerate() {
            self.set_value(&mut words, VarId::new(k), value);
        }
        words
    }

    /// Makes `state` (of the same program) the one packed in `words`.
    pub(super) fn unpack(&self, words: &[u64], state: &mut State) {
        for (k, slot) in self.threads.iter().enumerate() {
            state.set_loc(ThreadId::new(k), LocId::new(slot.get(words) as usize));
        }
        for (k, (low, high)) in self.vars.iter().enumerate() {
            let high = high.map_or(0, |slot| u128::from(slot.get(words)) << 64);
            state.set_value(VarId::new(k), high | u128::from(low.get(words)));
        }
    }

    pub(super) fn set_value(&self, words: &mut [u64], v: VarId, value: u128) {
        let (low, high) = self.vars[v.index()];
        low.set(words, value as u64);
        if let Some(high) = high {
            high.set(words, (value >> 64) as u64);
        }
    }

    pub(super) fn set_loc(&self, words: &mut [u64], t: ThreadId, loc: LocId) {
        self.threads[t.index()].set(words, loc.index() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::program::build::ProgramBuilder;
    use crate::program::types::LocKind;

    #[test]
    fn packing_loses_nothing() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut b = ProgramBuilder::new(8);
            let threads = [b.thread("main"), b.thread("other")];
            for t in threads {
                for _ in 0..rng.below(9) {
                    b.location(t, LocKind::Running, false);
                }
            }
            for k in 0..rng.below(12) {
                let width = *rng.pick(&[1, 3, 8, 32, 63, 64, 65, 127, 128]);
                b.shared(&format!("v{k}"), width, 0);
            }
            let program = b.finish();
            let layout = Layout::new(&program);
            let mut state = State::initial(&program);
            let mut words = layout.pack(&state);
            for (v, var) in program.vars.iter_enumerated() {
                let value = rng.next_u128() & mask(var.width);
                state.set_value(v, value);
                layout.set_value(&mut words, v, value);
            }
            for (t, thread) in program.threads.iter_enumerated() {
                let loc = LocId::new(rng.below(thread.locations.len()));
                state.set_loc(t, loc);
                layout.set_loc(&mut words, t, loc);
            }
            assert_eq!(words, layout.pack(&state), "seed {seed}");
            let mut back = State::initial(&program);
            layout.unpack(&words, &mut back);
            assert_eq!(back, state, "seed {seed}");
        }
    }
}
