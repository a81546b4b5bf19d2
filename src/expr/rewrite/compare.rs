//! Rules of `<` on words wider than one bit.

use std::cmp::Ordering;

use crate::expr::op::{Op2, mask, sign_extend};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    fn less_const(&mut self, op: Op2, a: ExprId, k: u128) -> ExprId {
        let k = self.constant(k, self.width(a));
        self.op2(op, a, k)
    }

    pub(super) fn rewrite_ult(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.bool(false));
        }
        if let Some(k) = self.as_const(a) {
            if k >= self.upper_bound(b) {
                return Some(self.bool(false));
            }
            let at_most = self.less_const(Op2::Ult, b, k + 1);
            return Some(self.not(at_most));
        }
        if let Some(k) = self.as_const(b) {
            if k > self.upper_bound(a) {
                return Some(self.bool(true));
            }
            if k == 0 {
                return Some(self.bool(false));
            }
        }
        let n = w - self.high_zeros(a).min(self.high_zeros(b));
        if n < w {
            let (a, b) = self.cut(a, b, n.max(1));
            return Some(self.op2(Op2::Ult, a, b));
        }
        match self.as_const(b) {
            Some(k) => self.rewrite_ult_const(a, k, w),
            None => None,
        }
    }

    /// `a < k` for `k > 0`.
    fn rewrite_ult_const(&mut self, a: ExprId, k: u128, w: u32) -> Option<ExprId> {
        if k.is_power_of_two() {
            let by = k.trailing_zeros();
            let high = self.extract(a, by, w - by);
            return Some(self.eq_const(high, 0));
        }
        if k == mask(w) {
            let e = self.eq_const(a, k);
            return Some(self.not(e));
        }
        match self.node(a) {
            Node::Op2(Op2::Add, x, l) if let Some(l) = self.as_const(l) => {
                // No wrap: the sum's bound is below 2^w.
                let bound = self.upper_bound(x).checked_add(l)?;
                if bound > mask(w) {
                    return None;
                }
                Some(if k <= l { self.bool(false) } else { self.less_const(Op2::Ult, x, k - l) })
            }
            Node::Concat(h, l) if let Some(h_value) = self.as_const(h) => {
                Some(match h_value.cmp(&(k >> self.width(l))) {
                    Ordering::Less => self.bool(true),
                    Ordering::Equal => self.less_const(Op2::Ult, l, k),
                    Ordering::Greater => self.bool(false),
                })
            }
            Node::Concat(h, l) if let Some(l_value) = self.as_const(l) => {
                let low = self.width(l);
                let high_k = k >> low;
                if l_value >= k & mask(low) {
                    return Some(self.less_const(Op2::Ult, h, high_k));
                }
                Some(if high_k == mask(w - low) {
                    self.bool(true)
                } else {
                    self.less_const(Op2::Ult, h, high_k + 1)
                })
            }
            Node::Ite(c, x, y) => self.less_ite(Op2::Ult, c, x, y, k),
            _ => None,
        }
    }

    /// `ite(c, x, y) < k` where a branch is a constant.
    fn less_ite(&mut self, op: Op2, c: ExprId, x: ExprId, y: ExprId, k: u128) -> Option<ExprId> {
        if self.as_const(x).is_none() && self.as_const(y).is_none() {
            return None;
        }
        let (x, y) = (self.less_const(op, x, k), self.less_const(op, y, k));
        Some(self.ite(c, x, y))
    }

    pub(super) fn rewrite_slt(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.bool(false));
        }
        let (positive_a, positive_b) = (self.high_zeros(a) > 0, self.high_zeros(b) > 0);
        if positive_a && positive_b {
            return Some(self.op2(Op2::Ult, a, b));
        }
        let min = 1 << (w - 1);
        if let Some(k) = self.as_const(a) {
            if k == min - 1 {
                return Some(self.bool(false));
            }
            let at_most = self.less_const(Op2::Slt, b, k.wrapping_add(1));
            return Some(self.not(at_most));
        }
        if let (Node::SignExtend(x), Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.op2(Op2::Slt, x, y));
        }
        let k = self.as_const(b)?;
        if k == min || (positive_a && k > min) {
            return Some(self.bool(false));
        }
        if k == 0 {
            return Some(self.extract(a, w - 1, 1));
        }
        match self.node(a) {
            Node::SignExtend(x) => {
                let inner = self.width(x);
                let k = sign_extend(k, w);
                let limit = 1i128 << (inner - 1);
                Some(if k >= limit {
                    self.bool(true)
                } else if k < -limit {
                    self.bool(false)
                } else {
                    self.less_const(Op2::Slt, x, k as u128)
                })
            }
            Node::Ite(c, x, y) => self.less_ite(Op2::Slt, c, x, y, k),
            _ => None,
        }
    }
}
