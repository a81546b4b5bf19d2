//! Rules of complement, and, or, xor.

use crate::expr::op::{Op1, Op2, mask};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    /// Whether the two are seen to be each other's complement.
    pub(super) fn are_complements(&self, a: ExprId, b: ExprId) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    pub(super) fn rewrite_not(&mut self, a: ExprId, w: u32) -> Option<ExprId> {
        let m = mask(w);
        match self.node(a) {
            Node::Op1(Op1::Not, x) => Some(x),
            Node::Op1(Op1::Neg, x) => {
                let k = self.constant(m, w);
                Some(self.op2(Op2::Add, x, k))
            }
            // The complement of x + k is ~k - x, that of k - x is x + ~k.
            Node::Op2(Op2::Add, x, k) if let Some(k) = self.as_const(k) => {
                let k = self.constant(!k, w);
                Some(self.op2(Op2::Sub, k, x))
            }
            Node::Op2(Op2::Sub, k, x) if let Some(k) = self.as_const(k) => {
                let k = self.constant(!k, w);
                Some(self.op2(Op2::Add, x, k))
            }
            Node::Op2(Op2::Xor, x, k) if let Some(k) = self.as_const(k) => {
                let k = self.constant(!k, w);
                Some(self.op2(Op2::Xor, x, k))
            }
            Node::Ite(c, x, y) => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                Some(self.ite_const(c, !x, !y, w))
            }
            _ => None,
        }
    }

    /// Rules of and, and the same with and and or, zeros and ones exchanged.
    pub(super) fn rewrite_and_or(
        &mut self,
        op: Op2,
        a: ExprId,
        b: ExprId,
        w: u32,
    ) -> Option<ExprId> {
        if a == b {
            return Some(a);
        }
        let absorbing = if op == Op2::And { 0 } else { mask(w) };
        if self.are_complements(a, b) {
            return Some(self.constant(absorbing, w));
        }
        if let Some(k) = self.as_const(b) {
            if k == absorbing {
                return Some(b);
            }
            if k == !absorbing & mask(w) {
                return Some(a);
            }
            return self.bitwise_const(op, a, k, w);
        }
        self.absorb(op, a, b, w)
            .or_else(|| self.absorb(op, b, a, w))
            .or_else(|| self.consensus(op, a, b))
            .or_else(|| if w == 1 { self.equalities(op, a, b) } else { self.parts(op, a, b, w) })
    }

    /// An operand `a` that decides something below the other one.
    fn absorb(&mut self, op: Op2, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        let dual = if op == Op2::And { Op2::Or } else { Op2::And };
        if let Some((p, q)) = self.as_op2(b, op) {
            if a == p || a == q {
                return Some(b);
            }
            if self.are_complements(a, p) || self.are_complements(a, q) {
                return Some(self.constant(if op == Op2::And { 0 } else { mask(w) }, w));
            }
        }
        if let Some((p, q)) = self.as_op2(b, dual) {
            if a == p || a == q {
                return Some(a);
            }
            if self.are_complements(a, p) {
                return Some(self.op2(op, a, q));
            }
            if self.are_complements(a, q) {
                return Some(self.op2(op, a, p));
            }
        }
        if let Some(inner) = self.as_not(b) {
            if let Some((p, q)) = self.as_op2(inner, op) {
                // a & ~(a & q) = a & ~q;  a & ~(~a & q) = a
                if self.are_complements(a, p) || self.are_complements(a, q) {
                    return Some(a);
                }
                if a == p || a == q {
                    let other = self.not(if a == p { q } else { p });
                    return Some(self.op2(op, a, other));
                }
            }
            if let Some((p, q)) = self.as_op2(inner, dual) {
                // a & ~(a | q) = 0;  a & ~(~a | q) = ~(~a | q)
                if a == p || a == q {
                    return Some(self.constant(if op == Op2::And { 0 } else { mask(w) }, w));
                }
                if self.are_complements(a, p) || self.are_complements(a, q) {
                    return Some(b);
                }
            }
        }
        if w == 1
            && let Node::Ite(c, p, q) = self.node(b)
        {
            // Under `c &` (or `~c |`) the condition is true.
            let condition_is_true = op == Op2::And;
            if a == c {
                return Some(self.op2(op, a, if condition_is_true { p } else { q }));
            }
            if self.are_complements(a, c) {
                return Some(self.op2(op, a, if condition_is_true { q } else { p }));
            }
        }
        None
    }

    /// `(x | y) & (x | ~y) = x` and its dual.
    fn consensus(&mut self, op: Op2, a: ExprId, b: ExprId) -> Option<ExprId> {
        let dual = if op == Op2::And { Op2::Or } else { Op2::And };
        let ((p, q), (r, s)) = (self.as_op2(a, dual)?, self.as_op2(b, dual)?);
        for (x, y) in [(p, q), (q, p)] {
            for (u, v) in [(r, s), (s, r)] {
                if x == u && self.are_complements(y, v) {
                    return Some(x);
                }
            }
        }
        None
    }

    /// Two bits that say whether one word equals two different constants.
    fn equalities(&mut self, op: Op2, a: ExprId, b: ExprId) -> Option<ExprId> {
        let literal = |p: &Self, e: ExprId| {
            let (atom, positive) = p.as_not(e).map_or((e, true), |x| (x, false));
            let (x, k) = p.as_op2_const(atom, Op2::Eq)?;
            Some((x, k, positive))
        };
        let (x, k, x_positive) = literal(self, a)?;
        let (y, l, y_positive) = literal(self, b)?;
        if x != y || k == l {
            return None;
        }
        // An or is the complement of the and of complements.
        let is_and = op == Op2::And;
        match (x_positive == is_and, y_positive == is_and) {
            (true, true) => Some(self.bool(!is_and)),
            (true, false) => Some(a),
            (false, true) => Some(b),
            (false, false) => None,
        }
    }

    /// Bitwise operators on words of which both are extended, or fill each other's zeros.
    fn parts(&mut self, op: Op2, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if op != Op2::And
            && let Some(e) = self.disjoint_sum(a, b, w)
        {
            return Some(e);
        }
        let (x, y) = (self.plain_high_zeros(a), self.plain_high_zeros(b));
        let n = w - if op == Op2::And { x.max(y) } else { x.min(y) };
        if x == 0 || y == 0 || n == 0 {
            return None;
        }
        let (a, b) = self.cut(a, b, n);
        let low = self.op2(op, a, b);
        Some(self.zero_extend(low, w))
    }

    /// `a + b` (or `a | b`, `a ^ b`) where one ends before the other begins.
    pub(super) fn disjoint_sum(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        for (high, low) in [(a, b), (b, a)] {
            let n = w - self.plain_high_zeros(low);
            if n > 0 && n < w && self.low_zeros(high) >= n {
                let high = self.extract(high, n, w - n);
                let low = self.extract(low, 0, n);
                return Some(self.concat(high, low));
            }
        }
        None
    }

    /// And, or, xor with a constant that is not all zeros or ones.
    fn bitwise_const(&mut self, op: Op2, a: ExprId, k: u128, w: u32) -> Option<ExprId> {
        if let Some((x, l)) = self.as_op2_const(a, op) {
            let k = self.constant(op.apply(k, l, w), w);
            return Some(self.op2(op, x, k));
        }
        if let Some((c, x, y)) = self.as_ite_const(a) {
            return Some(self.ite_const(c, op.apply(x, k, w), op.apply(y, k, w), w));
        }
        if matches!(self.node(a), Node::Concat(..) | Node::ZeroExtend(_)) {
            return Some(self.split_const(op, a, k, w));
        }
        if op == Op2::And {
            return self.mask_const(a, k, w);
        }
        None
    }

    /// A bitwise operator with a constant on a concatenation or extension, part by part.
    fn split_const(&mut self, op: Op2, a: ExprId, k: u128, w: u32) -> ExprId {
        let low_width = match self.node(a) {
            Node::Concat(_, l) | Node::ZeroExtend(l) => self.width(l),
            _ => unreachable!("called on a concatenation or extension"),
        };
        let high_width = w - low_width;
        let high = self.extract(a, low_width, high_width);
        let low = self.extract(a, 0, low_width);
        let (high_k, low_k) =
            (self.constant(k >> low_width, high_width), self.constant(k, low_width));
        let high = self.op2(op, high, high_k);
        let low = self.op2(op, low, low_k);
        self.concat(high, low)
    }

    /// And with a constant whose ones are consecutive.
    fn mask_const(&mut self, a: ExprId, k: u128, w: u32) -> Option<ExprId> {
        let lo = k.trailing_zeros();
        let ones = (k >> lo).trailing_ones();
        if k >> lo != mask(ones) {
            return None;
        }
        let mut e = self.extract(a, lo, ones);
        if lo > 0 {
            let zeros = self.constant(0, lo);
            e = self.concat(e, zeros);
        }
        Some(self.zero_extend(e, w))
    }

    pub(super) fn rewrite_xor(&mut self, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if a == b {
            return Some(self.constant(0, w));
        }
        if let Some(k) = self.as_const(b) {
            if k == 0 {
                return Some(a);
            }
            if k == mask(w) {
                return Some(self.not(a));
            }
            if let Some(x) = self.as_not(a) {
                let k = self.constant(!k, w);
                return Some(self.op2(Op2::Xor, x, k));
            }
            return self.bitwise_const(Op2::Xor, a, k, w);
        }
        // Complements go outside.
        match (self.as_not(a), self.as_not(b)) {
            (Some(x), Some(y)) => return Some(self.op2(Op2::Xor, x, y)),
            (Some(x), None) => {
                let e = self.op2(Op2::Xor, x, b);
                return Some(self.not(e));
            }
            (None, Some(y)) => {
                let e = self.op2(Op2::Xor, a, y);
                return Some(self.not(e));
            }
            (None, None) => {}
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.as_op2(y, Op2::Xor) {
                if x == p {
                    return Some(q);
                }
                if x == q {
                    return Some(p);
                }
            }
        }
        self.parts(Op2::Xor, a, b, w)
    }
}
