//! The atomic sections of a thread.

use crate::base::{HashSet, IndexVec};
use crate::program::{EdgeId, LocId, LocKind, Thread};

/// The edges that leave each location of a thread.
type Outgoing = IndexVec<LocId, Vec<EdgeId>>;

/// The locations of the atomic section that begins at a location outside, if one does.
pub(super) fn section(thread: &Thread, outgoing: &Outgoing, entry: LocId) -> Vec<LocId> {
    let mut found: Vec<LocId> = vec![];
    let mut seen: HashSet<LocId> = HashSet::default();
    let mut next = Some(entry);
    let mut done = 0;
    while let Some(l) = next {
        for &e in &outgoing[l] {
            let to = thread.edges[e].to;
            if thread.locations[to].atomic && seen.insert(to) {
                found.push(to);
            }
        }
        next = found.get(done).copied();
        done += 1;
    }
    found
}

/// Whether edges between these locations close a cycle.
pub(super) fn has_cycle(thread: &Thread, outgoing: &Outgoing, locs: &[LocId]) -> bool {
    let mut left: HashSet<LocId> = locs.iter().copied().collect();
    loop {
        let leads_on = |l: &LocId| outgoing[*l].iter().any(|&e| left.contains(&thread.edges[e].to));
        let ends: Vec<LocId> =
            locs.iter().filter(|l| left.contains(l) && !leads_on(l)).copied().collect();
        if ends.is_empty() {
            return !left.is_empty();
        }
        ends.iter().for_each(|l| {
            left.remove(l);
        });
    }
}

/// Whether a thread may stay inside the section that begins at a location: wait there, stop, or go
/// round a loop.
pub(super) fn may_stay(thread: &Thread, outgoing: &Outgoing, entry: LocId) -> bool {
    let inside = section(thread, outgoing, entry);
    let stays = |&l: &LocId| {
        let location = &thread.locations[l];
        location.blocking || location.kind != LocKind::Running
    };
    inside.iter().any(stays) || has_cycle(thread, outgoing, &inside)
}
