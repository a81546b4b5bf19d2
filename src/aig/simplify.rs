//! All passes, one after the other.

use crate::base::Budget;

use super::{Aig, Restore, Roots, cone, remove_constant_latches, remove_duplicate_latches};

/// Cone of influence and removal of constant and duplicate latches until nothing changes or the
/// budget ends.
pub fn simplify(aig: &Aig, roots: Roots, budget: &Budget) -> (Aig, Restore) {
    let (mut aig, mut restore) = cone(aig, roots);
    while budget.check().is_none() {
        let (next, constants) = remove_constant_latches(&aig);
        let (next, duplicates) = remove_duplicate_latches(&next, budget);
        // The first cone has left the chosen properties only.
        let (next, dead) = cone(&next, Roots::PropertiesAndOutputs);
        restore = restore.then(&constants).then(&duplicates).then(&dead);
        let done = next.nodes().len() == aig.nodes().len();
        aig = next;
        if done {
            break;
        }
    }
    (aig, restore)
}
