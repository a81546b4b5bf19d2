//! Arrays as lists of their elements, by index.

use std::rc::Rc;

use crate::expr::Op2;
use crate::ts::{TsExpr, TsPool};

/// Largest width of an index.
pub(super) const MAX_INDEX: u32 = 10;

/// The elements of all nodes that are arrays, together; also bounds the work on them.
pub(super) const MAX_ELEMENTS: usize = 1 << 18;

/// The elements of an array.
pub(super) type Elements = Rc<[TsExpr]>;

/// The element at an index as wide as the array wants.
pub(super) fn select(pool: &mut TsPool, array: &[TsExpr], index: TsExpr) -> TsExpr {
    let mut layer = array.to_vec();
    for k in 0..pool.width(index) {
        let bit = pool.extract(index, k, 1);
        layer = layer.chunks(2).map(|pair| pool.ite(bit, pair[1], pair[0])).collect();
    }
    layer[0]
}

/// The array with another element at an index.
pub(super) fn store(pool: &mut TsPool, array: &[TsExpr], index: TsExpr, value: TsExpr) -> Elements {
    let width = pool.width(index);
    let element = |(k, &old): (usize, &TsExpr)| {
        let here = pool.constant(k as u128, width);
        let hit = pool.eq(index, here);
        pool.ite(hit, value, old)
    };
    array.iter().enumerate().map(element).collect()
}

/// Whether two arrays of one sort are equal.
pub(super) fn equal(pool: &mut TsPool, a: &[TsExpr], b: &[TsExpr]) -> TsExpr {
    let mut all = pool.bool(true);
    for (&x, &y) in a.iter().zip(b) {
        let same = pool.op2(Op2::Eq, x, y);
        all = pool.and(all, same);
    }
    all
}

/// `if c then a else b`.
pub(super) fn choose(pool: &mut TsPool, c: TsExpr, a: &[TsExpr], b: &[TsExpr]) -> Elements {
    a.iter().zip(b).map(|(&x, &y)| pool.ite(c, x, y)).collect()
}
