//! Bits that are known to be zero.

use crate::expr::op::Op2;
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

/// Levels of operands that are looked at for zeros beyond those of constants and extensions.
const DEPTH: u32 = 3;

impl<L: Leaf> Pool<L> {
    /// A number of high bits of `e` that are zero whatever the leaves are.
    pub(super) fn high_zeros(&self, e: ExprId) -> u32 {
        self.high_zeros_to(e, DEPTH)
    }

    /// As [`Pool::high_zeros`], where constants, extensions and concatenations show it.
    pub(super) fn plain_high_zeros(&self, e: ExprId) -> u32 {
        self.high_zeros_to(e, 0)
    }

    fn high_zeros_to(&self, e: ExprId, depth: u32) -> u32 {
        let w = self.width(e);
        match self.node(e) {
            Node::Const(v) => w - bits(v),
            Node::ZeroExtend(a) => {
                let inner = if depth == 0 { 0 } else { self.high_zeros_to(a, depth - 1) };
                w - self.width(a) + inner
            }
            Node::Concat(h, _) => match self.as_const(h) {
                Some(v) => self.width(h) - bits(v),
                None => 0,
            },
            _ if depth == 0 => 0,
            Node::Ite(_, a, b) => {
                self.high_zeros_to(a, depth - 1).min(self.high_zeros_to(b, depth - 1))
            }
            Node::Extract(a, lo) => {
                let cut = self.width(a) - lo - w;
                self.high_zeros_to(a, depth - 1).saturating_sub(cut).min(w)
            }
            Node::Op2(op, a, b) if !op.is_comparison() => {
                let (x, y) = (self.high_zeros_to(a, depth - 1), self.high_zeros_to(b, depth - 1));
                match op {
                    Op2::And => x.max(y),
                    Op2::Or | Op2::Xor => x.min(y),
                    Op2::Add => x.min(y).saturating_sub(1),
                    Op2::Mul => (x + y).saturating_sub(w),
                    Op2::LShr | Op2::URem => x,
                    _ => 0,
                }
            }
            _ => 0,
        }
    }

    /// A value that `e` does not exceed.
    pub(super) fn upper_bound(&self, e: ExprId) -> u128 {
        match self.node(e) {
            Node::Const(v) => v,
            _ => match self.width(e) - self.high_zeros(e) {
                0 => 0,
                n => crate::expr::op::mask(n),
            },
        }
    }

    /// A number of low bits of `e` that constants in concatenations show to be zero.
    pub(super) fn low_zeros(&self, e: ExprId) -> u32 {
        let mut e = e;
        let mut known = 0;
        loop {
            match self.node(e) {
                Node::Const(0) => return known + self.width(e),
                Node::Const(v) => return known + v.trailing_zeros(),
                Node::ZeroExtend(a) => e = a,
                Node::Concat(h, l) if self.as_const(l) == Some(0) => {
                    known += self.width(l);
                    e = h;
                }
                Node::Concat(_, l) => e = l,
                _ => return known,
            }
        }
    }
}

/// How many bits the number has, 0 for zero.
pub(super) fn bits(v: u128) -> u32 {
    u128::BITS - v.leading_zeros()
}
