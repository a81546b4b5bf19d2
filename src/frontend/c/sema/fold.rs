//! Building expressions, constants folded: this is also the evaluation of integer constant
//! expressions.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{BinOp, Expr, ExprKind, Loc};
use super::super::types::{Qt, Type, TypeId, Types};
use super::scope::{R, Sema};
use crate::expr::{Op1, Op2, mask, sign_extend};

/// The value of `v` of type `from` as type `to`, both scalar.
pub fn convert(types: &Types, v: u128, from: TypeId, to: TypeId) -> u128 {
    if *types.get(to) == Type::Bool {
        return u128::from(v != 0);
    }
    let v = if types.is_signed(from) { sign_extend(v, types.width(from)) as u128 } else { v };
    v & mask(types.width(to))
}

/// The operator of expressions for one of C, and whether to negate its result and to swap its
/// operands.
pub fn operator(op: BinOp, signed: bool) -> (Op2, bool, bool) {
    let pick = |s, u| if signed { s } else { u };
    match op {
        BinOp::Add => (Op2::Add, false, false),
        BinOp::Sub => (Op2::Sub, false, false),
        BinOp::Mul => (Op2::Mul, false, false),
        BinOp::Div => (pick(Op2::SDiv, Op2::UDiv), false, false),
        BinOp::Rem => (pick(Op2::SRem, Op2::URem), false, false),
        BinOp::Shl => (Op2::Shl, false, false),
        BinOp::Shr => (pick(Op2::AShr, Op2::LShr), false, false),
        BinOp::And => (Op2::And, false, false),
        BinOp::Or => (Op2::Or, false, false),
        BinOp::Xor => (Op2::Xor, false, false),
        BinOp::Eq => (Op2::Eq, false, false),
        BinOp::Ne => (Op2::Eq, true, false),
        BinOp::Lt => (pick(Op2::Slt, Op2::Ult), false, false),
        BinOp::Le => (pick(Op2::Sle, Op2::Ule), false, false),
        BinOp::Gt => (pick(Op2::Slt, Op2::Ult), false, true),
        BinOp::Ge => (pick(Op2::Sle, Op2::Ule), false, true),
    }
}

/// The value of an operator on constants of type `at` (the right operand of a shift already
/// converted); `None` where C gives no value.
pub fn apply(types: &Types, op: BinOp, a: u128, b: u128, at: TypeId) -> Option<u128> {
    let (signed, width) = (types.is_signed(at), types.width(at));
    if matches!(op, BinOp::Div | BinOp::Rem) {
        let overflows = signed && b == mask(width) && a == 1 << (width - 1);
        if b == 0 || overflows {
            return None;
        }
    }
    let (op, negate, swap) = operator(op, signed);
    let (a, b) = if swap { (b, a) } else { (a, b) };
    Some(op.apply(a, b, width) ^ u128::from(negate))
}

impl Sema<'_> {
    /// Conversion of a scalar value.
    pub fn cast(&mut self, e: Expr, to: TypeId) -> Expr {
        if e.ty.id == to {
            return e;
        }
        let (ty, loc) = (Qt::plain(to), e.loc);
        let scalar = self.types.is_scalar(to) && self.types.is_scalar(e.ty.id);
        let kind = match e.kind {
            ExprKind::Int(v) if scalar => ExprKind::Int(convert(&self.types, v, e.ty.id, to)),
            _ => ExprKind::Cast(Box::new(e)),
        };
        Expr { kind, ty, loc }
    }

    /// An operator on two values of one type (the right operand of a shift has its own).
    pub fn binary(&mut self, op: BinOp, a: Expr, b: Expr, loc: Loc) -> Expr {
        let at = a.ty.id;
        let result = if op.is_comparison() { self.int_type() } else { at };
        let folded = match (&a.kind, &b.kind) {
            (&ExprKind::Int(x), &ExprKind::Int(y)) => {
                let y = convert(&self.types, y, b.ty.id, at);
                apply(&self.types, op, x, y, at)
            }
            _ => None,
        };
        let kind = match folded {
            Some(v) => ExprKind::Int(v),
            None => ExprKind::Binary(op, Box::new(a), Box::new(b)),
        };
        Expr { kind, ty: Qt::plain(result), loc }
    }

    /// `-` or `~` on a promoted value.
    pub fn unary(&mut self, op: Op1, a: Expr, loc: Loc) -> Expr {
        let ty = a.ty;
        let kind = match (&a.kind, op) {
            (&ExprKind::Int(v), _) => ExprKind::Int(op.apply(v, self.types.width(ty.id))),
            (_, Op1::Neg) => ExprKind::Neg(Box::new(a)),
            (_, Op1::Not) => ExprKind::BitNot(Box::new(a)),
        };
        Expr { kind, ty, loc }
    }

    /// `!` on a scalar value.
    pub fn not(&mut self, a: Expr, loc: Loc) -> Expr {
        match a.as_int() {
            Some(v) => self.int_const(i64::from(v == 0), loc),
            None => {
                let ty = Qt::plain(self.int_type());
                Expr { kind: ExprKind::Not(Box::new(a)), ty, loc }
            }
        }
    }

    /// `&&` (or `||`) on scalar values.
    pub fn logical(&mut self, or: bool, a: Expr, b: Expr, loc: Loc) -> Expr {
        let ty = Qt::plain(self.int_type());
        match (a.as_int().map(|v| v != 0), b.as_int().map(|v| v != 0)) {
            (Some(x), _) if x == or => self.int_const(i64::from(or), loc),
            (Some(_), Some(y)) => self.int_const(i64::from(y), loc),
            _ if or => Expr { kind: ExprKind::LogOr(Box::new(a), Box::new(b)), ty, loc },
            _ => Expr { kind: ExprKind::LogAnd(Box::new(a), Box::new(b)), ty, loc },
        }
    }

    /// Analyses what is never evaluated: functions named in it are not used by it.
    pub fn unevaluated<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let named = self.named.len();
        self.unevaluated_depth += 1;
        let result = f(self);
        self.unevaluated_depth -= 1;
        for func in self.named.split_off(named) {
            self.named_set.remove(&func);
        }
        result
    }

    pub fn expr_unevaluated(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        self.unevaluated(|s| s.expr(e))
    }

    pub fn value_unevaluated(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        self.unevaluated(|s| s.value(e))
    }

    /// The value of an integer expression, if it is constant.
    pub fn try_int_constant(&mut self, e: &Node<ast::Expression>) -> R<Option<i128>> {
        let v = self.value_unevaluated(e)?;
        if !self.types.is_integer(v.ty.id) {
            return Ok(None);
        }
        Ok(v.as_int().map(|n| {
            let width = self.types.width(v.ty.id);
            if self.types.is_signed(v.ty.id) { sign_extend(n, width) } else { n as i128 }
        }))
    }

    /// The value of an integer constant expression.
    pub fn int_constant(&mut self, e: &Node<ast::Expression>) -> R<i128> {
        match self.try_int_constant(e)? {
            Some(v) => Ok(v),
            None => Err(self.error(e.span, "an integer constant is needed here")),
        }
    }
}
