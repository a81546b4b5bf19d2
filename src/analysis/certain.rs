//! What certainly holds at the locations of one thread, by its own edges: a forward data flow whose
//! meet is intersection.

use std::collections::BTreeSet;

use crate::base::IndexVec;
use crate::program::{EdgeId, LocId, Program, ThreadId, VarId};

use super::facts::Facts;

/// The variables that are in the set at each location on all ways there. At the start the set is
/// empty; `step` changes it along an edge.
pub(super) fn certain(
    program: &Program,
    facts: &Facts,
    t: ThreadId,
    mut step: impl FnMut(EdgeId, &mut BTreeSet<VarId>),
) -> IndexVec<LocId, BTreeSet<VarId>> {
    let thread = &program.threads[t];
    let outgoing = facts.outgoing(program, t);
    let mut at = IndexVec::<LocId, Option<BTreeSet<VarId>>>::filled(None, thread.locations.len());
    at[thread.start] = Some(BTreeSet::new());
    let mut work = vec![thread.start];
    while let Some(loc) = work.pop() {
        for &e in &outgoing[loc] {
            let mut set = at[loc].clone().expect("only locations with a set are in the work list");
            step(e, &mut set);
            let to = thread.edges[e].to;
            let met = match &at[to] {
                Some(old) => old.intersection(&set).copied().collect(),
                None => set,
            };
            if at[to].as_ref() != Some(&met) {
                at[to] = Some(met);
                work.push(to);
            }
        }
    }
    at.iter().map(|set| set.clone().unwrap_or_default()).collect()
}
