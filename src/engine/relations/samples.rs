//! States of random runs.

use crate::aig::{Aig, Simulator};
use crate::base::{Budget, Rng, Stop};

/// Values of all latches in some reachable states, 64 to a word.
pub(super) struct Samples {
    /// For each latch its values.
    words: Vec<Vec<u64>>,
}

impl Samples {
    /// States of `runs` times 64 random runs of `frames` frames each.
    pub(super) fn random(
        aig: &Aig,
        runs: usize,
        frames: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut rng = Rng::new(0);
        let mut words = vec![vec![]; aig.latches().len()];
        for _ in 0..runs {
            let mut sim = Simulator::random(aig, &mut rng);
            // The last legal state of each run stands in for the states after it, which are none.
            let mut last = sim.state().to_vec();
            let mut legal = !0u64;
            for _ in 0..frames {
                if let Some(stop) = budget.check() {
                    return Err(stop);
                }
                for ((words, last), now) in words.iter_mut().zip(&mut last).zip(sim.state()) {
                    *last = (*now & legal) | (*last & !legal);
                    words.push(*last);
                }
                let inputs: Vec<u64> = aig.inputs().iter().map(|_| rng.next_u64()).collect();
                sim.eval(&inputs);
                for constraint in &aig.constraints {
                    legal &= sim.value(constraint.value);
                }
                sim.advance();
            }
        }
        Ok(Self { words })
    }

    /// Number of latches.
    pub(super) fn latches(&self) -> usize {
        self.words.len()
    }

    /// The latch's values, complemented if the first one is true; and whether it is.
    pub(super) fn normalised(&self, latch: usize) -> (Vec<u64>, bool) {
        let words = &self.words[latch];
        let flip = words.first().is_some_and(|w| w & 1 == 1);
        (words.iter().map(|w| if flip { !w } else { *w }).collect(), flip)
    }

    /// For the values 00, 01, 10, 11 of two latches, whether they occur.
    pub(super) fn pairs(&self, a: usize, b: usize) -> [bool; 4] {
        let mut seen = [0u64; 4];
        for (&x, &y) in self.words[a].iter().zip(&self.words[b]) {
            for (seen, word) in seen.iter_mut().zip([!x & !y, !x & y, x & !y, x & y]) {
                *seen |= word;
            }
            if seen.iter().all(|&s| s != 0) {
                break;
            }
        }
        seen.map(|s| s != 0)
    }
}
