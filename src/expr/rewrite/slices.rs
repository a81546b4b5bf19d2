//! Rules of concatenation, extract and extension.

use crate::expr::op::{Op1, Op2};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    pub(super) fn concat_rules(&mut self, h: ExprId, l: ExprId, w: u32) -> Option<ExprId> {
        if self.as_const(h) == Some(0) {
            return Some(self.zero_extend(l, w));
        }
        match self.node(h) {
            Node::Concat(x, y) => {
                let low = self.concat(y, l);
                return Some(self.concat(x, low));
            }
            Node::ZeroExtend(x) => {
                let low = self.concat(x, l);
                return Some(self.zero_extend(low, w));
            }
            _ => {}
        }
        if let Some(e) = self.merged(h, l) {
            return Some(e);
        }
        match self.node(l) {
            Node::Concat(x, y) => {
                let high = self.merged(h, x)?;
                Some(self.concat(high, y))
            }
            Node::ZeroExtend(x) if self.as_const(h).is_some() => {
                let zeros = self.constant(0, self.width(l) - self.width(x));
                let high = self.concat(h, zeros);
                Some(self.concat(high, x))
            }
            _ => None,
        }
    }

    /// Two neighbours as one word without a concatenation.
    fn merged(&mut self, h: ExprId, l: ExprId) -> Option<ExprId> {
        let w = self.width(h) + self.width(l);
        if self.as_const(h).is_some() && self.as_const(l).is_some() {
            return Some(self.concat(h, l));
        }
        let Node::Extract(x, high_lo) = self.node(h) else { return None };
        if let Node::Extract(y, low_lo) = self.node(l)
            && x == y
            && low_lo + self.width(l) == high_lo
        {
            return Some(self.extract(x, low_lo, w));
        }
        // The sign bit above the word itself.
        if x == l && self.width(h) == 1 && high_lo + 1 == self.width(l) {
            return Some(self.sign_extend(l, w));
        }
        None
    }

    pub(super) fn extend_rules(&mut self, a: ExprId, width: u32, signed: bool) -> Option<ExprId> {
        match self.node(a) {
            Node::ZeroExtend(x) => Some(self.zero_extend(x, width)),
            Node::SignExtend(x) if signed => Some(self.sign_extend(x, width)),
            _ if signed && self.plain_high_zeros(a) > 0 => Some(self.zero_extend(a, width)),
            _ => None,
        }
    }

    pub(super) fn extract_rules(&mut self, a: ExprId, lo: u32, width: u32) -> Option<ExprId> {
        let end = lo + width;
        match self.node(a) {
            Node::Extract(x, inner) => Some(self.extract(x, inner + lo, width)),
            Node::Concat(h, l) => {
                let split = self.width(l);
                Some(if end <= split {
                    self.extract(l, lo, width)
                } else if lo >= split {
                    self.extract(h, lo - split, width)
                } else {
                    let high = self.extract(h, 0, end - split);
                    let low = self.extract(l, lo, split - lo);
                    self.concat(high, low)
                })
            }
            Node::ZeroExtend(x) => {
                let inner = self.width(x);
                Some(if lo >= inner {
                    self.constant(0, width)
                } else {
                    let low = self.extract(x, lo, end.min(inner) - lo);
                    self.zero_extend(low, width)
                })
            }
            Node::SignExtend(x) => {
                let inner = self.width(x);
                let lo = lo.min(inner - 1);
                let low = self.extract(x, lo, end.min(inner).max(lo + 1) - lo);
                Some(self.sign_extend(low, width))
            }
            Node::Ite(c, x, y) if self.is_sliceable(x) && self.is_sliceable(y) => {
                let (x, y) = (self.extract(x, lo, width), self.extract(y, lo, width));
                Some(self.ite(c, x, y))
            }
            Node::Op1(Op1::Not, x) => {
                let x = self.extract(x, lo, width);
                Some(self.not(x))
            }
            Node::Op2(op @ (Op2::And | Op2::Or | Op2::Xor), x, y)
                if self.is_sliceable(x) || self.is_sliceable(y) =>
            {
                let (x, y) = (self.extract(x, lo, width), self.extract(y, lo, width));
                Some(self.op2(op, x, y))
            }
            // The low bits of these depend on low bits only.
            Node::Op2(op @ (Op2::Add | Op2::Sub | Op2::Mul), x, y)
                if lo == 0 && (self.is_sliceable(x) || self.is_sliceable(y)) =>
            {
                let (x, y) = self.cut(x, y, width);
                Some(self.op2(op, x, y))
            }
            Node::Op1(Op1::Neg, x) if lo == 0 => {
                let x = self.extract(x, lo, width);
                Some(self.op1(Op1::Neg, x))
            }
            _ => None,
        }
    }

    /// Whether an extract of `e` is simpler than `e`.
    fn is_sliceable(&self, e: ExprId) -> bool {
        matches!(
            self.node(e),
            Node::Const(_)
                | Node::Concat(..)
                | Node::ZeroExtend(_)
                | Node::SignExtend(_)
                | Node::Extract(..)
        )
    }
}
