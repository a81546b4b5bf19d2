//! Clauses that hold in all sampled states.

use std::collections::hash_map::Entry;

use super::Clause;
use super::samples::Samples;
use crate::base::{Budget, HashMap, Stop};

/// Constants, equivalences of each latch with the first of its class, and at most `implications`
/// clauses of two literals between such first latches.
pub(super) fn candidates(
    samples: &Samples,
    implications: usize,
    budget: &Budget,
) -> Result<Vec<Clause>, Stop> {
    let mut clauses = vec![];
    let mut first: HashMap<Vec<u64>, (usize, bool)> = HashMap::default();
    let mut representatives = vec![];
    for latch in 0..samples.latches() {
        let (words, flip) = samples.normalised(latch);
        if words.iter().all(|&w| w == 0) {
            clauses.push(vec![(latch, flip)]);
            continue;
        }
        match first.entry(words) {
            Entry::Occupied(entry) => {
                let (other, other_flip) = *entry.get();
                let differ = flip != other_flip;
                clauses.push(vec![(other, false), (latch, !differ)]);
                clauses.push(vec![(other, true), (latch, differ)]);
            }
            Entry::Vacant(entry) => {
                entry.insert((latch, flip));
                representatives.push(latch);
            }
        }
    }
    let mut left = implications;
    for (position, &a) in representatives.iter().enumerate() {
        if let Some(stop) = budget.check() {
            return Err(stop);
        }
        for &b in &representatives[..position] {
            let seen = samples.pairs(b, a);
            // Two values that never occur would be a constant or an equivalence.
            let missing = (0..4).filter(|&k| !seen[k]);
            for k in missing {
                if left == 0 {
                    return Ok(clauses);
                }
                left -= 1;
                clauses.push(vec![(b, k & 2 == 0), (a, k & 1 == 0)]);
            }
        }
    }
    Ok(clauses)
}
