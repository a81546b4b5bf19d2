//! Operators with two operands.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{BinOp, Expr, ExprKind, Loc};
use super::super::types::{Qt, Type};
use super::scope::{R, Sema};

impl Sema<'_> {
    pub fn binary_operator(&mut self, b: &Node<ast::BinaryOperatorExpression>) -> R<Expr> {
        use ast::BinaryOperator as B;
        let loc = self.loc(b.span);
        let (lhs, rhs) = (&b.node.lhs, &b.node.rhs);
        if let Some(op) = assigning(&b.node.operator.node) {
            let target = self.lvalue(lhs)?;
            let rhs = self.scalar(rhs)?;
            return self.modify(target, op, rhs, false, loc);
        }
        match b.node.operator.node {
            B::Index => {
                let base = self.expr(lhs)?;
                let index = self.expr(rhs)?;
                self.index(base, index, loc)
            }
            B::LogicalAnd | B::LogicalOr => {
                let a = self.scalar(lhs)?;
                let c = self.scalar(rhs)?;
                let or = b.node.operator.node == B::LogicalOr;
                Ok(self.logical(or, a, c, loc))
            }
            B::Assign => {
                let target = self.lvalue(lhs)?;
                let value = self.value(rhs)?;
                let value = self.assignable(value, target.ty)?;
                let ty = Qt::plain(target.ty.id);
                let kind = ExprKind::Assign(Box::new(target), Box::new(value));
                Ok(Expr { kind, ty, loc })
            }
            _ => {
                let op = plain(&b.node.operator.node)
                    .ok_or_else(|| self.unsupported(b.span, "this operator"))?;
                let a = self.scalar(lhs)?;
                let c = self.scalar(rhs)?;
                self.arithmetic(op, a, c, loc)
            }
        }
    }

    /// `a op b` on scalar values, pointers included.
    pub fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, loc: Loc) -> R<Expr> {
        let (p, q) = (self.types.pointee(a.ty.id), self.types.pointee(b.ty.id));
        match (op, p, q) {
            (_, None, None) if matches!(op, BinOp::Shl | BinOp::Shr) => {
                let a = self.promoted(a)?;
                let b = self.promoted(b)?;
                let b = self.cast(b, a.ty.id);
                Ok(self.binary(op, a, b, loc))
            }
            (_, None, None) => {
                let ty = self.usual_type(a.ty.id, b.ty.id);
                let (a, b) = (self.cast(a, ty), self.cast(b, ty));
                Ok(self.binary(op, a, b, loc))
            }
            (BinOp::Add | BinOp::Sub, Some(to), None) => {
                self.pointer_add(a, b, to, op == BinOp::Sub, loc)
            }
            (BinOp::Add, None, Some(to)) => self.pointer_add(b, a, to, false, loc),
            (BinOp::Sub, Some(to), Some(_)) => {
                let (size, count) = self.step_size(to, loc)?;
                let ty = Qt::plain(self.types.diff_type());
                let kind = ExprKind::PtrDiff(Box::new(a), Box::new(b), size.max(1));
                let steps = Expr { kind, ty, loc };
                Ok(match count {
                    Some(count) => self.binary(BinOp::Div, steps, count, loc),
                    None => steps,
                })
            }
            _ if op.is_comparison() => {
                let ty = if p.is_some() { a.ty.id } else { b.ty.id };
                let (a, b) = (self.cast(a, ty), self.cast(b, ty));
                Ok(self.binary(op, a, b, loc))
            }
            _ => Err(self.error_at(loc, "this operator does not apply to pointers")),
        }
    }

    fn pointer_add(&mut self, p: Expr, i: Expr, to: Qt, sub: bool, loc: Loc) -> R<Expr> {
        let (size, count) = self.step_size(to, loc)?;
        let i = self.index_value(i)?;
        let i = self.times(i, count, loc);
        let ty = p.ty;
        let kind = ExprKind::PtrAdd(Box::new(p), Box::new(i), size, sub);
        Ok(Expr { kind, ty, loc })
    }

    /// An index times the number of elements of what it counts, if that is no constant.
    pub fn times(&mut self, index: Expr, count: Option<Expr>, loc: Loc) -> Expr {
        let Some(count) = count else { return index };
        let index = self.cast(index, count.ty.id);
        self.binary(BinOp::Mul, index, count, loc)
    }

    fn index(&mut self, base: Expr, index: Expr, loc: Loc) -> R<Expr> {
        let of = match *self.types.get(base.ty.id) {
            Type::Array(of, _) => Some(of),
            Type::Vla(of, _) if self.types.size(of.id).is_some() => Some(of),
            _ => None,
        };
        if let Some(of) = of.filter(|_| super::expr::is_lvalue(&base)) {
            let index = self.rvalue(index)?;
            let index = self.promoted(index)?;
            let ty = Qt { id: of.id, quals: of.quals.with(base.ty.quals) };
            let kind = ExprKind::Index(Box::new(base), Box::new(index));
            return Ok(Expr { kind, ty, loc });
        }
        if matches!(self.types.get(index.ty.id), Type::Array(..) | Type::Vla(..)) {
            return self.index(index, base, loc);
        }
        let base = self.rvalue(base)?;
        let index = self.rvalue(index)?;
        let sum = self.arithmetic(BinOp::Add, base, index, loc)?;
        self.deref(sum, loc)
    }

    /// The value converted as by assignment to an object of type `to`.
    pub fn assignable(&mut self, v: Expr, to: Qt) -> R<Expr> {
        if v.ty.id == to.id {
            return Ok(v);
        }
        if self.types.is_scalar(to.id) && self.types.is_scalar(v.ty.id) {
            return Ok(self.cast(v, to.id));
        }
        let records = matches!(
            (self.types.get(to.id), self.types.get(v.ty.id)),
            (Type::Record(_), Type::Record(_))
        );
        if records && self.compatible(to.id, v.ty.id, 0) {
            return Ok(v);
        }
        for ty in [to.id, v.ty.id] {
            match self.types.get(ty) {
                Type::Float(_) => {
                    return Err(self.unsupported_at(v.loc, "floating-point arithmetic"));
                }
                Type::Unsupported(what) => return Err(self.unsupported_at(v.loc, what)),
                _ => {}
            }
        }
        let (from, to) = (self.types.show(v.ty.id), self.types.show(to.id));
        Err(self.error_at(v.loc, format!("a `{from}` where a `{to}` is needed")))
    }
}

/// The operator of a compound assignment.
fn assigning(op: &ast::BinaryOperator) -> Option<BinOp> {
    use ast::BinaryOperator as B;
    Some(match op {
        B::AssignMultiply => BinOp::Mul,
        B::AssignDivide => BinOp::Div,
        B::AssignModulo => BinOp::Rem,
        B::AssignPlus => BinOp::Add,
        B::AssignMinus => BinOp::Sub,
        B::AssignShiftLeft => BinOp::Shl,
        B::AssignShiftRight => BinOp::Shr,
        B::AssignBitwiseAnd => BinOp::And,
        B::AssignBitwiseXor => BinOp::Xor,
        B::AssignBitwiseOr => BinOp::Or,
        _ => return None,
    })
}

fn plain(op: &ast::BinaryOperator) -> Option<BinOp> {
    use ast::BinaryOperator as B;
    Some(match op {
        B::Multiply => BinOp::Mul,
        B::Divide => BinOp::Div,
        B::Modulo => BinOp::Rem,
        B::Plus => BinOp::Add,
        B::Minus => BinOp::Sub,
        B::ShiftLeft => BinOp::Shl,
        B::ShiftRight => BinOp::Shr,
        B::Less => BinOp::Lt,
        B::Greater => BinOp::Gt,
        B::LessOrEqual => BinOp::Le,
        B::GreaterOrEqual => BinOp::Ge,
        B::Equals => BinOp::Eq,
        B::NotEquals => BinOp::Ne,
        B::BitwiseAnd => BinOp::And,
        B::BitwiseXor => BinOp::Xor,
        B::BitwiseOr => BinOp::Or,
        _ => return None,
    })
}
