//! Rules of ite, whose condition is not constant and whose branches differ.

use crate::expr::op::Op2;
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    pub(super) fn ite_rules(&mut self, c: ExprId, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if let Some(c) = self.as_not(c) {
            return Some(self.ite(c, b, a));
        }
        if w == 1
            && let Some(e) = self.ite_of_bits(c, a, b)
        {
            return Some(e);
        }
        if let Some((x, y)) = self.as_op2(c, Op2::Eq)
            && ((a, b) == (x, y) || (a, b) == (y, x))
        {
            return Some(b);
        }
        self.nested_ite(c, a, b).or_else(|| self.ite_of_parts(c, a, b, w))
    }

    fn ite_of_bits(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_true(a) || a == c {
            return Some(self.or(c, b));
        }
        if self.is_false(b) || b == c {
            return Some(self.and(c, a));
        }
        if self.is_false(a) || self.are_complements(a, c) {
            let nc = self.not(c);
            return Some(self.and(nc, b));
        }
        if self.is_true(b) || self.are_complements(b, c) {
            let nc = self.not(c);
            return Some(self.or(nc, a));
        }
        if self.are_complements(a, b) {
            return Some(self.op2(Op2::Xor, c, b));
        }
        None
    }

    /// A branch that is an ite with the same condition, or with a branch in common.
    fn nested_ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Node::Ite(d, x, y) = self.node(a) {
            if d == c {
                return Some(self.ite(c, x, b));
            }
            if y == b {
                let both = self.and(c, d);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let nd = self.not(d);
                let both = self.and(c, nd);
                return Some(self.ite(both, y, b));
            }
        }
        if let Node::Ite(d, x, y) = self.node(b) {
            if d == c {
                return Some(self.ite(c, a, y));
            }
            if x == a {
                let any = self.or(c, d);
                return Some(self.ite(any, a, y));
            }
            if y == a {
                let nd = self.not(d);
                let any = self.or(c, nd);
                return Some(self.ite(any, a, x));
            }
        }
        None
    }

    /// Branches that are extensions, or concatenations with a common part.
    fn ite_of_parts(&mut self, c: ExprId, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        let n = w - self.plain_high_zeros(a).min(self.plain_high_zeros(b));
        if n < w {
            let (a, b) = self.cut(a, b, n);
            let low = self.ite(c, a, b);
            return Some(self.zero_extend(low, w));
        }
        match (self.node(a), self.node(b)) {
            (Node::SignExtend(x), Node::SignExtend(y)) if self.width(x) == self.width(y) => {
                let inner = self.ite(c, x, y);
                Some(self.sign_extend(inner, w))
            }
            (Node::Concat(p, q), Node::Concat(r, s))
                if (p == r || q == s) && self.width(p) == self.width(r) =>
            {
                let (high, low) = (self.ite(c, p, r), self.ite(c, q, s));
                Some(self.concat(high, low))
            }
            _ => None,
        }
    }
}
