//! Accesses by address as case splits over the places that analysis allows.

use crate::analysis::Place;
use crate::program::{Lifetime, Program, VarId};
use crate::ts::{TransitionSystem, TsExpr};

/// One case of an access.
pub(super) struct Case {
    /// Where.
    pub place: Place,
    /// Whether the address is this one and the object alive.
    pub hit: TsExpr,
}

/// The cases of an access at `addr`. `value` gives a variable's current value.
pub(super) fn cases(
    program: &Program,
    ts: &mut TransitionSystem,
    places: &[Place],
    addr: TsExpr,
    value: &mut dyn FnMut(&mut TransitionSystem, VarId) -> TsExpr,
) -> Vec<Case> {
    let width = ts.pool.width(addr);
    places
        .iter()
        .map(|&place| {
            let object = &program.objects[place.object];
            let at = ts.pool.constant(u128::from(object.address + place.offset), width);
            let mut hit = ts.pool.eq(addr, at);
            if let Lifetime::While(alive) = object.lifetime {
                let alive = value(ts, alive);
                hit = ts.pool.and(hit, alive);
            }
            Case { place, hit }
        })
        .collect()
}

/// The `bytes` bytes at a place, little-endian; padding reads 0.
pub(super) fn load(
    program: &Program,
    ts: &mut TransitionSystem,
    place: Place,
    bytes: u64,
    value: &mut dyn FnMut(&mut TransitionSystem, VarId) -> TsExpr,
) -> TsExpr {
    if let Some(v) = place.exact(program, bytes) {
        return value(ts, v);
    }
    let mut result: Option<TsExpr> = None;
    let mut at = place.offset;
    let end = place.offset + bytes;
    while at < end {
        let (part, next) = match leaf_at(program, place, at) {
            Some((start, v, size)) => {
                let next = end.min(start + size);
                let whole = value(ts, v);
                let lo = 8 * (at - start) as u32;
                (ts.pool.extract(whole, lo, 8 * (next - at) as u32), next)
            }
            None => (ts.pool.constant(0, 8), at + 1),
        };
        result = Some(match result {
            Some(low) => ts.pool.concat(part, low),
            None => part,
        });
        at = next;
    }
    result.expect("an access has at least one byte")
}

/// The new values of the leaves that a store of `data` at a place changes.
pub(super) fn store(
    program: &Program,
    ts: &mut TransitionSystem,
    place: Place,
    data: TsExpr,
    value: &mut dyn FnMut(&mut TransitionSystem, VarId) -> TsExpr,
) -> Vec<(VarId, TsExpr)> {
    let bytes = u64::from(ts.pool.width(data) / 8);
    if let Some(v) = place.exact(program, bytes) {
        return vec![(v, data)];
    }
    let mut result = vec![];
    let leaves = &program.objects[place.object].leaves;
    for v in place.overlap(program, bytes) {
        let start = leaves.iter().find(|l| l.1 == v).expect("an overlapping leaf").0;
        let size = u64::from(program.vars[v].width) / 8;
        let (first, last) = (start.max(place.offset), (start + size).min(place.offset + bytes));
        let from = 8 * (first - place.offset) as u32;
        let mut new = ts.pool.extract(data, from, 8 * (last - first) as u32);
        let old = value(ts, v);
        if first > start {
            let low = ts.pool.extract(old, 0, 8 * (first - start) as u32);
            new = ts.pool.concat(new, low);
        }
        if last < start + size {
            let lo = 8 * (last - start) as u32;
            let high = ts.pool.extract(old, lo, 8 * (start + size - last) as u32);
            new = ts.pool.concat(high, new);
        }
        result.push((v, new));
    }
    result
}

/// The leaf that contains this byte of the object: its offset, variable and size.
fn leaf_at(program: &Program, place: Place, at: u64) -> Option<(u64, VarId, u64)> {
    let leaves = &program.objects[place.object].leaves;
    let k = leaves.partition_point(|l| l.0 <= at).checked_sub(1)?;
    let (start, v) = leaves[k];
    let size = u64::from(program.vars[v].width) / 8;
    (at < start + size).then_some((start, v, size))
}
