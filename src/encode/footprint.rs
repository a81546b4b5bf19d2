//! What a step reads and writes, as circuit signals: for schedulers that move several threads in
//! one frame.

use std::collections::BTreeMap;

use crate::analysis::{Facts, Sharing};
use crate::program::{AccessKind, VarId};
use crate::ts::{TransitionSystem, TsExpr};

use super::commute::Added;

/// The shared variables that a thread's next step reads or writes, each with the signal that tells
/// whether it does so in the current state, with the current inputs. A step that cannot be taken
/// reads what decides that.
///
/// What a step does depends on nothing but what it reads and on the thread's own states, and it
/// changes no shared variable that it does not write or add to.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// Reads.
    pub reads: BTreeMap<VarId, TsExpr>,
    /// Writes. A variable that the step may change, if only by a sum, is here, if only with
    /// `false`.
    pub writes: BTreeMap<VarId, TsExpr>,
    /// Sums: it reads and writes the variable, but commutes with others that add to it.
    pub adds: BTreeMap<VarId, Added>,
}

impl Footprint {
    /// Notes that the step reads or writes `var` where `condition` holds, if others can tell.
    pub(super) fn add(
        &mut self,
        ts: &mut TransitionSystem,
        facts: &Facts,
        var: VarId,
        kind: AccessKind,
        condition: TsExpr,
    ) {
        if facts.sharing(var) != Sharing::Shared || ts.pool.is_false(condition) {
            return;
        }
        let map = match kind {
            AccessKind::Write => &mut self.writes,
            AccessKind::Guard | AccessKind::Value => &mut self.reads,
        };
        let none = ts.pool.bool(false);
        let known = map.entry(var).or_insert(none);
        *known = ts.pool.or(*known, condition);
    }

    /// Whether two steps do not commute: one writes what the other reads, writes or adds to, or
    /// adds to what the other reads.
    pub fn conflict(&self, other: &Self, ts: &mut TransitionSystem) -> TsExpr {
        let mut result = ts.pool.bool(false);
        let adds = |of: &Self| of.adds.iter().map(|(&v, added)| (v, added.when)).collect();
        let (mine, others): (BTreeMap<_, _>, BTreeMap<_, _>) = (adds(self), adds(other));
        let pairs = [
            (&self.writes, &other.writes),
            (&self.writes, &other.reads),
            (&self.writes, &others),
            (&self.reads, &other.writes),
            (&self.reads, &others),
            (&mine, &other.reads),
            (&mine, &other.writes),
        ];
        for (a, b) in pairs {
            for (v, &x) in a {
                if let Some(&y) = b.get(v) {
                    let both = ts.pool.and(x, y);
                    result = ts.pool.or(result, both);
                }
            }
        }
        result
    }
}
