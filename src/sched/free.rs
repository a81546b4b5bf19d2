//! The free scheduler: in each frame an input selects one thread, and that thread moves if it
//! can; if not, the state stutters.

use crate::base::{Id, IndexVec};
use crate::encode::Encoding;

use super::scheduled::{Scheduled, any, finish, may_move};

/// Sets the next states of `encoding.ts`. If there is only one thread nothing selects it.
pub fn schedule_free(encoding: &mut Encoding) -> Scheduled {
    let may = may_move(encoding);
    let ts = &mut encoding.ts;
    let width = (may.len() - 1).checked_ilog2().map_or(0, |b| b + 1);
    let select = (width > 0).then(|| ts.add_input("sched", width));
    let mut execute = IndexVec::new();
    for (t, &may) in may.iter_enumerated() {
        execute.push(match select {
            None => may,
            Some((_, input)) => {
                let index = ts.pool.constant(t.index() as u128, width);
                let selected = ts.pool.eq(input, index);
                ts.pool.and(selected, may)
            }
        });
    }
    let moved = any(ts, execute.iter().copied());
    let can_move = any(ts, may.iter().copied());
    let sites = finish(encoding, &execute);
    let inputs = select.map(|(id, _)| id).into_iter().collect();
    Scheduled { inputs, execute, moved, can_move, sites }
}
