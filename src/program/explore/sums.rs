//! What the steps that move in parallel do in sum, by trying.
//!
//! A step that leaves a shared variable as it found it in a state reads it there and no more. And
//! it only adds to a variable if, whatever the variable holds, it takes the same way with the same
//! accesses, ends with the same sum more, and all else is the same. (Two steps that only add to a
//! variable can be swapped: S. Katz, D. Peled: Defining conditional independence using collapses,
//! TCS 1992.) Both are said of one state: what a thread can do there is the same behind a move that
//! none of its steps is in conflict with.

use crate::expr::mask;
use crate::program::interp::{Change, Footprint};
use crate::program::{Machine, SiteId, State, VarId};

use super::report::Run;

/// The values of wider variables are not tried.
const BITS: u32 = 4;

/// A step that is possible in a state.
pub(super) struct Taken<'a> {
    pub run: &'a Run,
    pub changes: &'a [Change],
    pub site: Option<SiteId>,
}

/// Makes the step's footprint as small as what it does in sum, and returns what it adds to
/// variables that are in it no more.
pub(super) fn sum_up(
    machine: &Machine<'_>,
    before: &State,
    taken: &Taken<'_>,
    footprint: &mut Footprint,
) -> Vec<(VarId, u128)> {
    let after = taken.after(before);
    let mut written = footprint.writes.clone();
    written.sort_unstable();
    written.dedup();
    let (whole, mut adds) = (footprint.clone(), vec![]);
    for v in written {
        if before.value(v) == after.value(v) {
            footprint.writes.retain(|&w| w != v);
            footprint.reads.push(v);
        } else if let Some(amount) = taken.only_adds(machine, before, &after, v, &whole) {
            footprint.writes.retain(|&w| w != v);
            footprint.reads.retain(|&r| r != v);
            adds.push((v, amount));
        }
    }
    adds
}

impl Taken<'_> {
    fn after(&self, before: &State) -> State {
        let mut state = before.clone();
        for &(v, _, new) in self.changes {
            state.set_value(v, new);
        }
        for edge in self.run {
            state.set_loc(edge.thread, edge.until);
        }
        state
    }

    /// The amount, if adding it is all that the step has to do with the variable.
    fn only_adds(
        &self,
        machine: &Machine<'_>,
        before: &State,
        after: &State,
        v: VarId,
        footprint: &Footprint,
    ) -> Option<u128> {
        let width = machine.program().vars[v].width;
        if width > BITS {
            return None;
        }
        let amount = after.value(v).wrapping_sub(before.value(v)) & mask(width);
        let same = |value| {
            let (mut state, mut expected) = (before.clone(), after.clone());
            state.set_value(v, value);
            expected.set_value(v, value.wrapping_add(amount) & mask(width));
            self.ends_in(machine, state, &expected, footprint)
        };
        (0..=mask(width)).all(same).then_some(amount)
    }

    /// Whether the step can be taken from another state, too, with these accesses, and ends in
    /// `expected`.
    fn ends_in(
        &self,
        machine: &Machine<'_>,
        mut state: State,
        expected: &State,
        footprint: &Footprint,
    ) -> bool {
        let (mut found, mut site) = (Footprint::default(), None);
        for edge in self.run {
            // No run need come to this state: what is wrong there does not matter.
            let Ok(Some(choice)) = machine.choice(&state, edge.thread) else { return false };
            let mut value = |i| edge.inputs.iter().find(|c| c.0 == i).map_or(0, |c| c.1);
            let seen = machine.footprint(&state, edge.thread, Some(choice), &mut value, &mut found);
            let fired = machine.fire(&mut state, edge.thread, choice, &mut value, &mut vec![]);
            if seen.is_err() || fired.is_err() || state.loc(edge.thread) != edge.until {
                return false;
            }
            site = choice.site();
        }
        site == self.site && found == *footprint && state == *expected
    }
}
