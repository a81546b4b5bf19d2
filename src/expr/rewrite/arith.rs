//! Rules of sums, products, quotients and shifts.

use super::bounds::bits;
use crate::expr::op::{Op1, Op2, mask};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op2(Op2::Add, a, b)
    }

    fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op2(Op2::Sub, a, b)
    }

    fn add_const(&mut self, a: ExprId, k: u128) -> ExprId {
        let k = self.constant(k, self.width(a));
        self.add(a, k)
    }

    /// `k - a`.
    fn sub_from_const(&mut self, k: u128, a: ExprId) -> ExprId {
        let k = self.constant(k, self.width(a));
        self.sub(k, a)
    }

    fn neg(&mut self, a: ExprId) -> ExprId {
        self.op1(Op1::Neg, a)
    }

    fn as_neg(&self, e: ExprId) -> Option<ExprId> {
        match self.node(e) {
            Node::Op1(Op1::Neg, a) => Some(a),
            _ => None,
        }
    }

    /// The parts of `k - x`.
    pub(super) fn as_sub_from_const(&self, e: ExprId) -> Option<(u128, ExprId)> {
        let (k, x) = self.as_op2(e, Op2::Sub)?;
        Some((self.as_const(k)?, x))
    }

    pub(super) fn rewrite_neg(&mut self, a: ExprId, w: u32) -> Option<ExprId> {
        if w == 1 {
            return Some(a);
        }
        match self.node(a) {
            Node::Op1(Op1::Neg, x) => Some(x),
            Node::Op1(Op1::Not, x) => Some(self.add_const(x, 1)),
            Node::Op2(Op2::Add, x, k) if let Some(k) = self.as_const(k) => {
                Some(self.sub_from_const(k.wrapping_neg(), x))
            }
            Node::Op2(Op2::Sub, x, y) => Some(self.sub(y, x)),
            Node::Ite(c, x, y) => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                Some(self.ite_const(c, x.wrapping_neg(), y.wrapping_neg(), w))
            }
            _ => None,
        }
    }

    pub(super) fn rewrite_add(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if let Some(k) = self.as_const(b) {
            return self.rewrite_add_const(a, k, w);
        }
        if a == b {
            let two = self.constant(2, w);
            return Some(self.op2(Op2::Mul, a, two));
        }
        if self.are_complements(a, b) {
            return Some(self.constant(mask(w), w));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(n) = self.as_neg(y) {
                return Some(self.sub(x, n));
            }
            // Constants go outside.
            if let Some((z, k)) = self.as_op2_const(y, Op2::Add) {
                let sum = self.add(x, z);
                return Some(self.add_const(sum, k));
            }
            if let Some((p, q)) = self.as_op2(y, Op2::Sub) {
                if q == x {
                    return Some(p);
                }
                if let Some(k) = self.as_const(p) {
                    let difference = self.sub(x, q);
                    return Some(self.add_const(difference, k));
                }
            }
        }
        self.disjoint_sum(a, b, w)
    }

    fn rewrite_add_const(&mut self, a: ExprId, k: u128, w: u32) -> Option<ExprId> {
        if k == 0 {
            return Some(a);
        }
        if let Some((x, l)) = self.as_op2_const(a, Op2::Add) {
            return Some(self.add_const(x, k.wrapping_add(l)));
        }
        if let Some((l, x)) = self.as_sub_from_const(a) {
            return Some(self.sub_from_const(k.wrapping_add(l), x));
        }
        if let Some(x) = self.as_neg(a) {
            return Some(self.sub_from_const(k, x));
        }
        if let Some(x) = self.as_not(a) {
            return Some(self.sub_from_const(k.wrapping_sub(1), x));
        }
        if let Some((c, x, y)) = self.as_ite_const(a) {
            return Some(self.ite_const(c, k.wrapping_add(x), k.wrapping_add(y), w));
        }
        // Low bits that do not change stay out of the sum.
        let n = k.trailing_zeros();
        if let Node::Concat(h, l) = self.node(a)
            && self.width(l) <= n
        {
            let h = self.add_const(h, k >> self.width(l));
            return Some(self.concat(h, l));
        }
        let k = self.constant(k, w);
        self.disjoint_sum(a, k, w)
    }

    pub(super) fn rewrite_sub(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.constant(0, w));
        }
        if let Some(k) = self.as_const(b) {
            return Some(self.add_const(a, k.wrapping_neg()));
        }
        if let Some(n) = self.as_neg(b) {
            return Some(self.add(a, n));
        }
        if let Some((y, k)) = self.as_op2_const(b, Op2::Add) {
            let difference = self.sub(a, y);
            return Some(self.add_const(difference, k.wrapping_neg()));
        }
        if let Some(k) = self.as_const(a) {
            if k == 0 {
                return Some(self.neg(b));
            }
            if k == mask(w) {
                return Some(self.not(b));
            }
            if let Some((l, x)) = self.as_sub_from_const(b) {
                return Some(self.add_const(x, k.wrapping_sub(l)));
            }
            if let Some(x) = self.as_not(b) {
                return Some(self.add_const(x, k.wrapping_add(1)));
            }
            if let Some((c, x, y)) = self.as_ite_const(b) {
                return Some(self.ite_const(c, k.wrapping_sub(x), k.wrapping_sub(y), w));
            }
            return None;
        }
        if let Some((x, k)) = self.as_op2_const(a, Op2::Add) {
            let difference = self.sub(x, b);
            return Some(self.add_const(difference, k));
        }
        self.cancelled_sub(a, b)
    }

    /// A difference of which an operand is a part of the other.
    fn cancelled_sub(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Some((x, y)) = self.as_op2(a, Op2::Add) {
            if b == x {
                return Some(y);
            }
            if b == y {
                return Some(x);
            }
        }
        if let Some((x, y)) = self.as_op2(b, Op2::Add) {
            if a == x {
                return Some(self.neg(y));
            }
            if a == y {
                return Some(self.neg(x));
            }
        }
        if let Some((x, y)) = self.as_op2(a, Op2::Sub)
            && b == x
        {
            return Some(self.neg(y));
        }
        match self.as_op2(b, Op2::Sub) {
            Some((x, y)) if a == x => Some(y),
            _ => None,
        }
    }

    /// `a` shifted to higher positions by `by < w`.
    fn shifted_up(&mut self, a: ExprId, by: u32, w: u32) -> ExprId {
        if by == 0 {
            return a;
        }
        let low = self.extract(a, 0, w - by);
        let zeros = self.constant(0, by);
        self.concat(low, zeros)
    }

    pub(super) fn rewrite_mul(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        let k = self.as_const(b)?;
        if k == 0 {
            return Some(b);
        }
        if k == mask(w) {
            return Some(self.neg(a));
        }
        if let Some((x, l)) = self.as_op2_const(a, Op2::Mul) {
            let k = self.constant(k.wrapping_mul(l), w);
            return Some(self.op2(Op2::Mul, x, k));
        }
        if let Some((x, l)) = self.as_op2_const(a, Op2::Add) {
            let product = self.op2(Op2::Mul, x, b);
            return Some(self.add_const(product, k.wrapping_mul(l)));
        }
        if let Some(x) = self.as_neg(a) {
            let k = self.constant(k.wrapping_neg(), w);
            return Some(self.op2(Op2::Mul, x, k));
        }
        if let Some((c, x, y)) = self.as_ite_const(a) {
            return Some(self.ite_const(c, k.wrapping_mul(x), k.wrapping_mul(y), w));
        }
        k.is_power_of_two().then(|| self.shifted_up(a, k.trailing_zeros(), w))
    }

    pub(super) fn rewrite_udiv(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        let k = self.as_const(b)?;
        if k == 0 {
            return Some(self.constant(mask(w), w));
        }
        if k.is_power_of_two() {
            let by = k.trailing_zeros();
            let high = self.extract(a, by, w - by);
            return Some(self.zero_extend(high, w));
        }
        if self.upper_bound(a) < k {
            return Some(self.constant(0, w));
        }
        let n = w - self.high_zeros(a);
        if n == w {
            return None;
        }
        let (a, b) = self.cut(a, b, n);
        let quotient = self.op2(Op2::UDiv, a, b);
        Some(self.zero_extend(quotient, w))
    }

    pub(super) fn rewrite_urem(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.constant(0, w));
        }
        if let Some(k) = self.as_const(b) {
            if self.upper_bound(a) < k || k == 0 {
                return Some(a);
            }
            if k == 1 {
                return Some(self.constant(0, w));
            }
            if k.is_power_of_two() {
                let low = self.extract(a, 0, k.trailing_zeros());
                return Some(self.zero_extend(low, w));
            }
        }
        let n = w - self.high_zeros(a).min(self.high_zeros(b));
        if n == w || n == 0 {
            return None;
        }
        let (a, b) = self.cut(a, b, n);
        let rest = self.op2(Op2::URem, a, b);
        Some(self.zero_extend(rest, w))
    }

    fn both_not_negative(&self, a: ExprId, b: ExprId) -> bool {
        self.high_zeros(a) > 0 && self.high_zeros(b) > 0
    }

    /// `2^s - 1` if `a` is negative, else 0: what makes a shift by `s` round to zero.
    fn bias(&mut self, a: ExprId, s: u32, w: u32) -> ExprId {
        let sign = self.extract(a, w - 1, 1);
        let ones = self.sign_extend(sign, s);
        self.zero_extend(ones, w)
    }

    pub(super) fn rewrite_sdiv(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if self.both_not_negative(a, b) {
            return Some(self.op2(Op2::UDiv, a, b));
        }
        let k = self.as_const(b)?;
        if k == 0 {
            let sign = self.extract(a, w - 1, 1);
            return Some(self.ite_const(sign, 1, mask(w), w));
        }
        if k == 1 {
            return Some(a);
        }
        if k == mask(w) {
            return Some(self.neg(a));
        }
        if !k.is_power_of_two() || bits(k) == w {
            return None;
        }
        let s = k.trailing_zeros();
        let bias = self.bias(a, s, w);
        let sum = self.add(a, bias);
        let high = self.extract(sum, s, w - s);
        Some(self.sign_extend(high, w))
    }

    pub(super) fn rewrite_srem(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if self.both_not_negative(a, b) {
            return Some(self.op2(Op2::URem, a, b));
        }
        if a == b {
            return Some(self.constant(0, w));
        }
        let k = self.as_const(b)?;
        if k == 0 {
            return Some(a);
        }
        if k == 1 || k == mask(w) {
            return Some(self.constant(0, w));
        }
        if !k.is_power_of_two() {
            return None;
        }
        let s = k.trailing_zeros();
        let bias = self.bias(a, s, w);
        let sum = self.add(a, bias);
        let low = self.extract(sum, 0, s);
        let low = self.zero_extend(low, w);
        Some(self.sub(low, bias))
    }

    pub(super) fn rewrite_shift(
        &mut self,
        op: Op2,
        a: ExprId,
        b: ExprId,
        w: u32,
    ) -> Option<ExprId> {
        if self.as_const(a) == Some(0) {
            return Some(a);
        }
        if op == Op2::AShr && self.high_zeros(a) > 0 {
            return Some(self.op2(Op2::LShr, a, b));
        }
        let k = self.as_const(b)?;
        let by = u32::try_from(k).ok().filter(|&k| k < w);
        Some(match (op, by) {
            (Op2::Shl, Some(by)) => self.shifted_up(a, by, w),
            (Op2::AShr, by) => {
                let by = by.unwrap_or(w - 1);
                let high = self.extract(a, by, w - by);
                self.sign_extend(high, w)
            }
            (_, Some(by)) => {
                let high = self.extract(a, by, w - by);
                self.zero_extend(high, w)
            }
            (_, None) => self.constant(0, w),
        })
    }
}
