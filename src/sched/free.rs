//! The free scheduler: in each frame an input selects one thread, and that thread moves if it
//! can; if not, the state stutters.

use crate::base::IndexVec;
use crate::encode::Encoding;
use crate::program::ThreadId;
use crate::ts::TsExpr;

use super::scheduled::{Scheduled, any, finish, may_move, select};

/// Sets the next states of `encoding.ts`. If there is only one thread nothing selects it.
pub fn schedule_free(encoding: &mut Encoding) -> Scheduled {
    let may = may_move(encoding);
    let (inputs, selected) = select(encoding);
    let ts = &mut encoding.ts;
    let execute: IndexVec<ThreadId, TsExpr> =
        may.ids().map(|t| ts.pool.and(selected[t], may[t])).collect();
    let moved = any(ts, may.ids().map(|t| execute[t]));
    let can_move = any(ts, may.iter().copied());
    let sites = finish(encoding, &execute);
    Scheduled { inputs, execute, moved, can_move, sites, probes: vec![] }
}
