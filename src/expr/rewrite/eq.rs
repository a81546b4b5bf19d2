//! Rules of equality of words wider than one bit.

use crate::expr::op::{Op1, Op2, mask, sign_extend};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

/// The inverse of an odd number modulo 2^128 (Newton's iteration; three bits are right at the
/// start, each round doubles them).
fn inverse(odd: u128) -> u128 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x))))
}

impl<L: Leaf> Pool<L> {
    /// `a == k`.
    pub(super) fn eq_const(&mut self, a: ExprId, k: u128) -> ExprId {
        let k = self.constant(k, self.width(a));
        self.eq(a, k)
    }

    pub(super) fn rewrite_eq(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.bool(true));
        }
        if self.are_complements(a, b) {
            return Some(self.bool(false));
        }
        if let Some(k) = self.as_const(b) {
            return self.rewrite_eq_const(a, k, w);
        }
        let n = w - self.plain_high_zeros(a).min(self.plain_high_zeros(b));
        if n < w {
            let (a, b) = self.cut(a, b, n.max(1));
            return Some(self.eq(a, b));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(e) = self.eq_with_part(x, y, w) {
                return Some(e);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Ite(c, p, q), Node::Ite(d, r, s)) if c == d => {
                let (x, y) = (self.eq(p, r), self.eq(q, s));
                Some(self.ite(c, x, y))
            }
            (Node::Concat(p, q), Node::Concat(r, s)) if self.width(p) == self.width(r) => {
                let (x, y) = (self.eq(p, r), self.eq(q, s));
                Some(self.and(x, y))
            }
            (Node::SignExtend(x), Node::SignExtend(y)) if self.width(x) == self.width(y) => {
                Some(self.eq(x, y))
            }
            (Node::Op1(Op1::Not, x), Node::Op1(Op1::Not, y))
            | (Node::Op1(Op1::Neg, x), Node::Op1(Op1::Neg, y)) => Some(self.eq(x, y)),
            _ => None,
        }
    }

    /// An equality of two words, neither constant, of which one is built from the other.
    fn eq_with_part(&mut self, x: ExprId, y: ExprId, w: u32) -> Option<ExprId> {
        match self.node(y) {
            // One constant is enough.
            Node::Op2(Op2::Add, z, k)
                if let (Some(k), Some((u, l))) =
                    (self.as_const(k), self.as_op2_const(x, Op2::Add)) =>
            {
                let k = self.constant(k.wrapping_sub(l), w);
                let sum = self.op2(Op2::Add, z, k);
                Some(self.eq(u, sum))
            }
            Node::Op2(Op2::Add | Op2::Xor, p, q) if p == x => Some(self.eq_const(q, 0)),
            Node::Op2(Op2::Add | Op2::Xor, p, q) if q == x => Some(self.eq_const(p, 0)),
            Node::Op2(Op2::Sub, p, q) if p == x => Some(self.eq_const(q, 0)),
            Node::Ite(c, p, q) if p == x => {
                let e = self.eq(q, x);
                Some(self.or(c, e))
            }
            Node::Ite(c, p, q) if q == x => {
                let e = self.eq(p, x);
                let nc = self.not(c);
                Some(self.or(nc, e))
            }
            _ => None,
        }
    }

    fn rewrite_eq_const(&mut self, a: ExprId, k: u128, w: u32) -> Option<ExprId> {
        match self.node(a) {
            Node::Op1(Op1::Not, x) => Some(self.eq_const(x, !k)),
            Node::Op1(Op1::Neg, x) => Some(self.eq_const(x, k.wrapping_neg())),
            Node::Op2(Op2::Add, x, l) if let Some(l) = self.as_const(l) => {
                Some(self.eq_const(x, k.wrapping_sub(l)))
            }
            Node::Op2(Op2::Sub, l, x) if let Some(l) = self.as_const(l) => {
                Some(self.eq_const(x, l.wrapping_sub(k)))
            }
            Node::Op2(Op2::Xor, x, l) if let Some(l) = self.as_const(l) => {
                Some(self.eq_const(x, k ^ l))
            }
            Node::Op2(Op2::Sub | Op2::Xor, x, y) if k == 0 => Some(self.eq(x, y)),
            Node::Op2(Op2::Or, x, y) if k == 0 => self.both_eq_const(x, y, 0),
            Node::Op2(Op2::And, x, y) if k == mask(w) => self.both_eq_const(x, y, k),
            Node::Op2(Op2::Mul, x, l) if let Some(l) = self.as_const(l) => {
                Some(self.eq_product(x, l, k, w))
            }
            Node::ZeroExtend(x) => {
                Some(if k > mask(self.width(x)) { self.bool(false) } else { self.eq_const(x, k) })
            }
            Node::SignExtend(x) => {
                let inner = self.width(x);
                let fits = sign_extend(k, w) == sign_extend(k & mask(inner), inner);
                Some(if fits { self.eq_const(x, k) } else { self.bool(false) })
            }
            Node::Concat(h, l) => {
                let low = self.eq_const(l, k);
                if self.is_false(low) {
                    return Some(low);
                }
                let high = self.eq_const(h, k >> self.width(l));
                Some(self.and(high, low))
            }
            Node::Ite(c, x, y) => self.eq_ite_const(c, x, y, k),
            _ => None,
        }
    }

    fn both_eq_const(&mut self, x: ExprId, y: ExprId, k: u128) -> Option<ExprId> {
        let (x, y) = (self.eq_const(x, k), self.eq_const(y, k));
        Some(self.and(x, y))
    }

    /// `x * l == k`: without the common power of two, `x` is `k` times the inverse of `l`.
    fn eq_product(&mut self, x: ExprId, l: u128, k: u128, w: u32) -> ExprId {
        let s = l.trailing_zeros();
        if s >= w || k.trailing_zeros().min(w) < s {
            return self.bool(k == 0);
        }
        let x = self.extract(x, 0, w - s);
        self.eq_const(x, (k >> s).wrapping_mul(inverse(l >> s)))
    }

    /// `ite(c, x, y) == k` where a branch is a constant.
    fn eq_ite_const(&mut self, c: ExprId, x: ExprId, y: ExprId, k: u128) -> Option<ExprId> {
        if self.as_const(x).is_none() && self.as_const(y).is_none() {
            return None;
        }
        let (x, y) = (self.eq_const(x, k), self.eq_const(y, k));
        Some(self.ite(c, x, y))
    }
}
