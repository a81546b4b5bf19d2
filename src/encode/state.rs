//! Which program variables become states of the transition system, and how wide.

use crate::analysis::{AbsVal, Facts, Sharing};
use crate::base::IndexVec;
use crate::program::{Program, Scope, ThreadId, VarId};
use crate::ts::{StateId, TransitionSystem, TsExpr};

use super::points::Points;

/// How a variable is kept between steps.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    /// It always has this value at scheduling points (or is dead there).
    Constant(u128),
    /// In a state: the value is the extension of the state, with its sign if `signed`.
    State {
        /// The state.
        state: StateId,
        /// Width of the state in bits.
        bits: u32,
        /// Whether the extension copies the sign.
        signed: bool,
    },
}

/// The states of all variables.
#[derive(Clone, Debug)]
pub struct StateMap {
    stored: IndexVec<VarId, Stored>,
}

impl StateMap {
    /// Adds to `ts` a state for each variable that must be remembered between steps: shared and
    /// private ones that the slice keeps and some thread writes, and local ones that are live at
    /// a scheduling point; each as wide as its range needs.
    pub fn new(
        program: &Program,
        facts: &Facts,
        points: &IndexVec<ThreadId, Points>,
        ts: &mut TransitionSystem,
    ) -> Self {
        let mut stored = IndexVec::new();
        for (v, var) in program.vars.iter_enumerated() {
            let range = match var.scope {
                Scope::Shared => shared_range(facts, v, var.init, var.width),
                Scope::Local(t) => local_range(program, facts, &points[t], t, v),
            };
            stored.push(match range {
                None => Stored::Constant(var.init),
                Some(range) if range.as_const().is_some() => {
                    Stored::Constant(range.as_const().expect("just tested"))
                }
                Some(range) => {
                    // Dead variables, and all at the start, have the initial value.
                    let range = range.join(&AbsVal::constant(var.init, var.width));
                    let (bits, signed) = range.storage();
                    let init = var.init & crate::expr::mask(bits);
                    let (state, _) = ts.add_state(var.name.clone(), bits, Some(init));
                    Stored::State { state, bits, signed }
                }
            });
        }
        Self { stored }
    }

    /// How the variable is kept.
    pub fn stored(&self, var: VarId) -> Stored {
        self.stored[var]
    }

    /// The variable's value in the current state, at its full width.
    pub fn current(&self, program: &Program, ts: &mut TransitionSystem, var: VarId) -> TsExpr {
        let width = program.vars[var].width;
        match self.stored[var] {
            Stored::Constant(value) => ts.pool.constant(value, width),
            Stored::State { state, signed, .. } => {
                let leaf = ts.states[state].expr;
                ts.pool.resize(leaf, width, signed)
            }
        }
    }
}

fn shared_range(facts: &Facts, v: VarId, init: u128, width: u32) -> Option<AbsVal> {
    let kept = facts.slice.has(v) && facts.is_written(v) && facts.sharing(v) != Sharing::Unused;
    kept.then(|| facts.ranges.shared(v).join(&AbsVal::constant(init, width)))
}

/// The join over all points where the variable is live.
fn local_range(
    program: &Program,
    facts: &Facts,
    points: &Points,
    t: ThreadId,
    v: VarId,
) -> Option<AbsVal> {
    let live = points.list().iter().filter(|&&l| facts.live[t].is_live(l, v));
    live.map(|&l| facts.ranges.value(program, t, l, v)).reduce(|a, b| a.join(&b))
}
