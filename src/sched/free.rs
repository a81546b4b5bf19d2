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
    Scheduled {
        inputs,
        execute,
        moved,
        can_move,
        enabled: can_move,
        sites,
        turns: None,
        probes: vec![],
    }
}

/// Sets the next states of `encoding.ts`: each thread moves if an input says so, whether it can or
/// not. This is no scheduler; it shows how large a circuit is without one.
pub fn schedule_nothing(encoding: &mut Encoding) -> Scheduled {
    let Encoding { ts, names, .. } = encoding;
    let told: Vec<_> = names.iter().map(|n| ts.add_input(format!("go.{n}"), 1)).collect();
    let execute: IndexVec<ThreadId, TsExpr> = told.iter().map(|&(_, go)| go).collect();
    let inputs = told.into_iter().map(|(id, _)| id).collect();
    let nothing = ts.pool.bool(false);
    let sites = finish(encoding, &execute);
    Scheduled {
        inputs,
        execute,
        moved: nothing,
        can_move: nothing,
        enabled: nothing,
        sites,
        turns: None,
        probes: vec![],
    }
}
