//! Branching on conditions, with the sequence points of `&&`, `||` and `?:`.

use super::super::hir::{BinOp, Expr, ExprKind};
use super::state::{Lower, R};
use crate::program::{LocId, ProgExpr};

impl Lower<'_> {
    /// Goes to `yes` if the scalar `e` is not zero, else to `no`.
    pub fn cond_jump(&mut self, e: &Expr, yes: LocId, no: LocId) -> R<()> {
        if self.cur.is_none() {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Not(a) => self.cond_jump(a, no, yes),
            ExprKind::LogAnd(a, b) if !self.is_pure(e) => {
                let middle = self.new_loc();
                self.cond_jump(a, middle, no)?;
                self.set_cur(middle);
                self.cond_jump(b, yes, no)
            }
            ExprKind::LogOr(a, b) if !self.is_pure(e) => {
                let middle = self.new_loc();
                self.cond_jump(a, yes, middle)?;
                self.set_cur(middle);
                self.cond_jump(b, yes, no)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.cond_jump(b, yes, no)
            }
            ExprKind::Binary(BinOp::Ne, a, b) if b.as_int() == Some(0) => {
                self.cond_jump(a, yes, no)
            }
            ExprKind::Binary(BinOp::Eq, a, b) if b.as_int() == Some(0) => {
                self.cond_jump(a, no, yes)
            }
            ExprKind::Cast(a) if self.keeps_truth(e, a) => self.cond_jump(a, yes, no),
            _ => {
                let bit = self.bit(e)?;
                self.branch(bit, yes, no)
            }
        }
    }

    /// Whether the conversion of `a` to `e` is zero only if `a` is.
    fn keeps_truth(&self, e: &Expr, a: &Expr) -> bool {
        let types = &self.hir.types;
        types.is_scalar(e.ty.id)
            && types.is_scalar(a.ty.id)
            && (types.width(e.ty.id) >= types.width(a.ty.id)
                || *types.get(e.ty.id) == super::super::types::Type::Bool)
    }

    /// Whether `e` is not zero, 1 bit.
    pub fn bit(&mut self, e: &Expr) -> R<ProgExpr> {
        if self.is_pure(e) {
            return self.pure_bit(e);
        }
        let v = self.rvalue(e)?;
        Ok(self.truth(v))
    }

    /// As [`Lower::bit`], for a pure expression.
    pub fn pure_bit(&mut self, e: &Expr) -> R<ProgExpr> {
        match &e.kind {
            ExprKind::LogAnd(a, b) => {
                let (x, y) = (self.pure_bit(a)?, self.pure_bit(b)?);
                Ok(self.and(x, y))
            }
            ExprKind::LogOr(a, b) => {
                let (x, y) = (self.pure_bit(a)?, self.pure_bit(b)?);
                let (x, y) = (self.not(x), self.not(y));
                let both = self.and(x, y);
                Ok(self.not(both))
            }
            ExprKind::Not(a) => {
                let x = self.pure_bit(a)?;
                Ok(self.not(x))
            }
            _ => {
                let v = self.rvalue(e)?;
                Ok(self.truth(v))
            }
        }
    }
}
