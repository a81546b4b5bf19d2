//! Which rules belong to which operator, and the bound on their number.

use crate::expr::op::{Op1, Op2, mask, sign_extend};
use crate::expr::pool::{ExprId, Leaf, Node, Pool};

/// How many rules one call of a builder may try, the calls made by rules included.
const FUEL: u32 = 64;

/// The bound's state.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::expr) struct Fuel {
    /// Calls of builders that are active.
    depth: u32,
    /// How many rules may still be tried; meaningful if `depth > 0`.
    left: u32,
    /// Whether the bound ever kept a rule from being tried.
    pub(super) exhausted: bool,
}

impl<L: Leaf> Pool<L> {
    /// Applies the rules `f` unless too many have been tried since the outermost call.
    fn simplified(&mut self, f: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        if self.fuel.depth == 0 {
            self.fuel.left = FUEL;
        }
        if self.fuel.left == 0 {
            self.fuel.exhausted = true;
            return None;
        }
        self.fuel.left -= 1;
        self.fuel.depth += 1;
        let result = f(self);
        self.fuel.depth -= 1;
        result
    }

    /// The operands of a commutative operator in their normal order.
    pub(in crate::expr) fn ordered(&self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        match (self.as_const(a).is_some(), self.as_const(b).is_some()) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a <= b => (a, b),
            _ => (b, a),
        }
    }

    pub(in crate::expr) fn rewrite_op1(&mut self, op: Op1, a: ExprId, w: u32) -> Option<ExprId> {
        if let Some(v) = self.as_const(a) {
            return Some(self.constant(op.apply(v, w), w));
        }
        self.simplified(|p| match op {
            Op1::Not => p.rewrite_not(a, w),
            Op1::Neg => p.rewrite_neg(a, w),
        })
    }

    /// The operands of a commutative operator are in order.
    pub(in crate::expr) fn rewrite_op2(
        &mut self,
        op: Op2,
        a: ExprId,
        b: ExprId,
        w: u32,
    ) -> Option<ExprId> {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let width = if op.is_comparison() { 1 } else { w };
            return Some(self.constant(op.apply(x, y, w), width));
        }
        self.simplified(|p| {
            if w == 1
                && let Some(e) = p.rewrite_bit(op, a, b)
            {
                return Some(e);
            }
            match op {
                Op2::And | Op2::Or => p.rewrite_and_or(op, a, b, w),
                Op2::Xor => p.rewrite_xor(a, b, w),
                Op2::Add => p.rewrite_add(a, b, w),
                Op2::Sub => p.rewrite_sub(a, b, w),
                Op2::Mul => p.rewrite_mul(a, b, w),
                Op2::UDiv => p.rewrite_udiv(a, b, w),
                Op2::URem => p.rewrite_urem(a, b, w),
                Op2::SDiv => p.rewrite_sdiv(a, b, w),
                Op2::SRem => p.rewrite_srem(a, b, w),
                Op2::Shl | Op2::LShr | Op2::AShr => p.rewrite_shift(op, a, b, w),
                Op2::Eq => p.rewrite_eq(a, b, w),
                Op2::Ult => p.rewrite_ult(a, b, w),
                Op2::Slt => p.rewrite_slt(a, b, w),
                Op2::Ule => {
                    let less = p.op2(Op2::Ult, b, a);
                    Some(p.not(less))
                }
                Op2::Sle => {
                    let less = p.op2(Op2::Slt, b, a);
                    Some(p.not(less))
                }
            }
        })
    }

    /// Operators on single bits but for and, or, xor, in terms of those.
    fn rewrite_bit(&mut self, op: Op2, a: ExprId, b: ExprId) -> Option<ExprId> {
        Some(match op {
            Op2::And | Op2::Or | Op2::Xor => return None,
            Op2::Add | Op2::Sub => self.op2(Op2::Xor, a, b),
            Op2::Mul => self.and(a, b),
            Op2::AShr => a,
            Op2::UDiv | Op2::SDiv | Op2::Sle => {
                let nb = self.not(b);
                self.or(a, nb)
            }
            Op2::URem | Op2::SRem | Op2::Shl | Op2::LShr | Op2::Slt => {
                let nb = self.not(b);
                self.and(a, nb)
            }
            Op2::Ult => {
                let na = self.not(a);
                self.and(na, b)
            }
            Op2::Ule => {
                let na = self.not(a);
                self.or(na, b)
            }
            Op2::Eq => {
                let differ = self.op2(Op2::Xor, a, b);
                self.not(differ)
            }
        })
    }

    pub(in crate::expr) fn rewrite_ite(
        &mut self,
        c: ExprId,
        a: ExprId,
        b: ExprId,
        w: u32,
    ) -> Option<ExprId> {
        match self.as_const(c) {
            Some(1) => Some(a),
            Some(_) => Some(b),
            None if a == b => Some(a),
            None => self.simplified(|p| p.ite_rules(c, a, b, w)),
        }
    }

    pub(in crate::expr) fn rewrite_concat(
        &mut self,
        h: ExprId,
        l: ExprId,
        w: u32,
    ) -> Option<ExprId> {
        if let (Some(x), Some(y)) = (self.as_const(h), self.as_const(l)) {
            return Some(self.constant((x << self.width(l)) | y, w));
        }
        self.simplified(|p| p.concat_rules(h, l, w))
    }

    pub(in crate::expr) fn rewrite_extract(
        &mut self,
        a: ExprId,
        lo: u32,
        width: u32,
    ) -> Option<ExprId> {
        if let Some(v) = self.as_const(a) {
            return Some(self.constant((v >> lo) & mask(width), width));
        }
        self.simplified(|p| p.extract_rules(a, lo, width))
    }

    pub(in crate::expr) fn rewrite_extend(
        &mut self,
        a: ExprId,
        width: u32,
        signed: bool,
    ) -> Option<ExprId> {
        if let Some(v) = self.as_const(a) {
            let v = if signed { sign_extend(v, self.width(a)) as u128 } else { v };
            return Some(self.constant(v, width));
        }
        self.simplified(|p| p.extend_rules(a, width, signed))
    }

    /// Operands of an operator node.
    pub(super) fn as_op2(&self, e: ExprId, op: Op2) -> Option<(ExprId, ExprId)> {
        match self.node(e) {
            Node::Op2(o, a, b) if o == op => Some((a, b)),
            _ => None,
        }
    }

    /// The left operand and the right one, which is a constant.
    pub(super) fn as_op2_const(&self, e: ExprId, op: Op2) -> Option<(ExprId, u128)> {
        let (a, b) = self.as_op2(e, op)?;
        Some((a, self.as_const(b)?))
    }

    /// The operand of a complement.
    pub(super) fn as_not(&self, e: ExprId) -> Option<ExprId> {
        match self.node(e) {
            Node::Op1(Op1::Not, a) => Some(a),
            _ => None,
        }
    }

    /// The condition and the branches of an ite between two constants.
    pub(super) fn as_ite_const(&self, e: ExprId) -> Option<(ExprId, u128, u128)> {
        match self.node(e) {
            Node::Ite(c, a, b) => Some((c, self.as_const(a)?, self.as_const(b)?)),
            _ => None,
        }
    }

    /// An ite between two constants.
    pub(super) fn ite_const(&mut self, c: ExprId, a: u128, b: u128, w: u32) -> ExprId {
        let (a, b) = (self.constant(a, w), self.constant(b, w));
        self.ite(c, a, b)
    }

    /// Both operands cut to their low `n` bits.
    pub(super) fn cut(&mut self, a: ExprId, b: ExprId, n: u32) -> (ExprId, ExprId) {
        (self.extract(a, 0, n), self.extract(b, 0, n))
    }
}
