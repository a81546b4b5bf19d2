//! Simplification while building (only in pools made by [`Pool::rewriting`]).

use super::op::{Op1, Op2, mask, sign_extend};
use super::pool::{ExprId, Leaf, Node, Pool};

impl<L: Leaf> Pool<L> {
    pub(super) fn rewrite_op1(&mut self, op: Op1, a: ExprId, w: u32) -> Option<ExprId> {
        match self.node(a) {
            Node::Const(v) => Some(self.constant(op.apply(v, w), w)),
            Node::Op1(inner, b) if inner == op => Some(b),
            _ => None,
        }
    }

    pub(super) fn rewrite_op2(&mut self, op: Op2, a: ExprId, b: ExprId, w: u32) -> Option<ExprId> {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let width = if op.is_comparison() { 1 } else { w };
            return Some(self.constant(op.apply(x, y, w), width));
        }
        None
    }

    pub(super) fn rewrite_ite(
        &mut self,
        c: ExprId,
        a: ExprId,
        b: ExprId,
        _w: u32,
    ) -> Option<ExprId> {
        match self.as_const(c) {
            Some(1) => Some(a),
            Some(_) => Some(b),
            None if a == b => Some(a),
            None => None,
        }
    }

    pub(super) fn rewrite_concat(&mut self, h: ExprId, l: ExprId, w: u32) -> Option<ExprId> {
        let (x, y) = (self.as_const(h)?, self.as_const(l)?);
        let low = self.width(l);
        Some(self.constant((x << low) | y, w))
    }

    pub(super) fn rewrite_extract(&mut self, a: ExprId, lo: u32, width: u32) -> Option<ExprId> {
        let v = self.as_const(a)?;
        Some(self.constant((v >> lo) & mask(width), width))
    }

    pub(super) fn rewrite_extend(&mut self, a: ExprId, width: u32, signed: bool) -> Option<ExprId> {
        let v = self.as_const(a)?;
        let v = if signed { sign_extend(v, self.width(a)) as u128 } else { v };
        Some(self.constant(v, width))
    }
}
