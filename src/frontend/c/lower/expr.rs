//! Values and effects of expressions.

use super::super::hir::{BinOp, Expr, ExprKind, Modify};
use super::super::sema::base_local;
use super::super::types::Type;
use super::place::Place;
use super::scope::plain;
use super::state::{Lower, R, below_casts};
use crate::expr::{Op1, Op2};
use crate::program::ProgExpr;

impl Lower<'_> {
    /// The value of a scalar expression.
    pub fn rvalue(&mut self, e: &Expr) -> R<ProgExpr> {
        match &e.kind {
            ExprKind::Int(v) => Ok(self.constant(*v, self.width(e.ty.id))),
            ExprKind::Load(lv) if lv.ty.quals.atomic => self.atomic_load(lv),
            ExprKind::Load(lv) => {
                let place = self.place(lv)?;
                self.load_lvalue(&place, lv)
            }
            ExprKind::AddrOf(lv) => self.address_of(lv),
            ExprKind::VaStart => Ok(self.first_argument()),
            ExprKind::VaArg(list) => self.next_argument(e, list),
            ExprKind::Cast(inner) => self.cast(e, inner),
            ExprKind::Neg(a) => {
                let (at, a) = (a.ty.id, self.rvalue(a)?);
                let zero = self.constant(0, self.width(at));
                self.check_overflow(BinOp::Sub, zero, a, at, e.loc)?;
                Ok(self.prog.pool.op1(Op1::Neg, a))
            }
            ExprKind::BitNot(a) => {
                let a = self.rvalue(a)?;
                Ok(self.prog.pool.op1(Op1::Not, a))
            }
            ExprKind::Not(a) => {
                let t = self.bit(a)?;
                let t = self.not(t);
                Ok(self.number(t, 32))
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = self.operands(*op, a, b)?;
                self.arithmetic(*op, x, y, a.ty.id, e.loc)
            }
            ExprKind::Overflows(op, a, b, ty) => {
                let (x, y) = (self.rvalue(a)?, self.rvalue(b)?);
                let bit = self.overflows(*op, (x, a.ty.id), (y, b.ty.id), *ty);
                Ok(self.number(bit, 8))
            }
            ExprKind::PtrAdd(p, i, size, sub) => {
                let p = self.rvalue(p)?;
                let i = self.rvalue(i)?;
                Ok(self.pointer_add(p, i, *size, *sub))
            }
            ExprKind::PtrDiff(a, b, size) => {
                let a = self.rvalue(a)?;
                let b = self.rvalue(b)?;
                let d = self.op2(Op2::Sub, a, b);
                let size = self.constant((*size).into(), self.pointer_bits());
                Ok(self.op2(Op2::SDiv, d, size))
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) if self.is_pure(e) => {
                let bit = self.pure_bit(e)?;
                Ok(self.number(bit, 32))
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.by_branches(e, 32),
            ExprKind::Cond(c, a, b) => self.conditional(e, c, a, b),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.rvalue(b)
            }
            ExprKind::Assign(lv, v) if lv.ty.quals.atomic => self.atomic_store(lv, v),
            ExprKind::Assign(lv, v) => self.assignment(lv, v),
            ExprKind::Modify(m) if m.target.ty.quals.atomic => self.atomic_modify(m, e),
            ExprKind::Atomic(a) => self.atomic(a, e.loc),
            ExprKind::Modify(m) => self.modify(m, true, e),
            ExprKind::Call(callee, args) => self.call_value(e, callee, args),
            ExprKind::Block(stmts, Some(value)) => {
                let mark = self.enter_scope();
                self.statements(stmts)?;
                let v = self.rvalue(value)?;
                let t = self.temp(self.prog.pool.width(v));
                self.assign(t, v);
                self.leave_scope(mark)?;
                Ok(self.var(t))
            }
            ExprKind::Func(f) => Ok(self.function_address(*f)),
            _ => Err(self.error(e.loc, "this has no value here")),
        }
    }

    fn cast(&mut self, e: &Expr, inner: &Expr) -> R<ProgExpr> {
        if *self.hir.types.get(e.ty.id) == Type::Void {
            self.effect(inner)?;
            return Ok(self.constant(0, 32));
        }
        let old = self.heap_type;
        if let Some(to) = self.hir.types.pointee(e.ty.id)
            && *self.hir.types.get(to.id) != Type::Void
            && matches!(inner.kind, ExprKind::Call(..))
        {
            let mut of = to.id;
            while let Type::Vla(inner, _) = self.hir.types.get(of) {
                of = inner.id;
            }
            self.heap_type = Some(of);
        }
        let v = self.rvalue(inner);
        self.heap_type = old;
        Ok(self.convert(v?, inner.ty.id, e.ty.id))
    }

    /// Evaluates two operands in gcc's order: it moves a plain variable behind another operand
    /// where the operator allows it.
    fn operands(&mut self, op: BinOp, a: &Expr, b: &Expr) -> R<(ProgExpr, ProgExpr)> {
        if op.swaps() && is_variable(a) && !is_variable(b) && below_casts(b).as_int().is_none() {
            let y = self.rvalue(b)?;
            let x = self.rvalue(a)?;
            return Ok((x, y));
        }
        let x = self.rvalue(a)?;
        let y = self.rvalue(b)?;
        Ok((x, y))
    }

    pub fn pointer_add(&mut self, p: ProgExpr, i: ProgExpr, size: u64, sub: bool) -> ProgExpr {
        let step = self.scaled(i, size);
        if !sub {
            return self.add(p, step);
        }
        match self.prog.pool.as_const(step) {
            Some(v) => {
                let w = self.pointer_bits();
                let minus = self.constant(Op1::Neg.apply(v, w), w);
                self.add(p, minus)
            }
            None => self.op2(Op2::Sub, p, step),
        }
    }

    /// 1 or 0, by control flow.
    fn by_branches(&mut self, e: &Expr, width: u32) -> R<ProgExpr> {
        let t = self.temp(width);
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.cond_jump(e, yes, no)?;
        for (loc, value) in [(yes, 1), (no, 0)] {
            self.set_cur(loc);
            let v = self.constant(value, width);
            self.assign(t, v);
            self.jump(end)?;
        }
        self.set_cur(end);
        Ok(self.var(t))
    }

    fn conditional(&mut self, e: &Expr, c: &Expr, a: &Expr, b: &Expr) -> R<ProgExpr> {
        if *self.hir.types.get(e.ty.id) == Type::Void {
            self.effect(e)?;
            return Ok(self.constant(0, 32));
        }
        if self.is_pure(e) {
            let c = self.bit(c)?;
            let a = self.rvalue(a)?;
            let b = self.rvalue(b)?;
            return Ok(self.ite(c, a, b));
        }
        let t = self.temp(self.width(e.ty.id));
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.cond_jump(c, yes, no)?;
        for (loc, branch) in [(yes, a), (no, b)] {
            self.set_cur(loc);
            if self.cur.is_none() {
                continue;
            }
            let v = self.rvalue(branch)?;
            self.assign(t, v);
            self.jump(end)?;
        }
        self.set_cur(end);
        Ok(self.var(t))
    }

    fn assignment(&mut self, lv: &Expr, v: &Expr) -> R<ProgExpr> {
        let place = self.place(lv)?;
        let value = self.rvalue(v)?;
        self.store_lvalue(&place, lv, value)
    }

    /// `op=`, `++`, `--`; `used` tells whether somebody wants the value.
    pub fn modify(&mut self, m: &Modify, used: bool, e: &Expr) -> R<ProgExpr> {
        let lv = &m.target;
        let ty = lv.ty.id;
        // gcc saves a right operand with effects first, and swaps as for the plain operator.
        let rhs_first = m.rhs.has_side_effects()
            || (m.op.swaps()
                && m.scale == 0
                && is_plain_lvalue(lv)
                && !is_variable(&m.rhs)
                && m.rhs.as_int().is_none());
        let early = if rhs_first { Some(self.rvalue(&m.rhs)?) } else { None };
        let place = self.place(lv)?;
        let mut old = self.load_lvalue(&place, lv)?;
        if m.old && used && matches!(place, Place::Vars(..)) {
            let t = self.temp(self.prog.pool.width(old));
            self.assign(t, old);
            old = self.var(t);
        }
        let rhs = match early {
            Some(v) => v,
            None => self.rvalue(&m.rhs)?,
        };
        let new = if m.scale > 0 {
            self.pointer_add(old, rhs, m.scale, m.op == BinOp::Sub)
        } else {
            let wide = self.convert(old, ty, m.at);
            let sum = self.arithmetic(m.op, wide, rhs, m.at, e.loc)?;
            self.convert(sum, m.at, ty)
        };
        let new = self.store_lvalue(&place, lv, new)?;
        if m.old {
            return Ok(old);
        }
        match place {
            Place::Vars(..) => self.load_lvalue(&place, lv),
            _ => Ok(new),
        }
    }

    /// Evaluates an expression for its effects only.
    pub fn effect(&mut self, e: &Expr) -> R<()> {
        match &e.kind {
            ExprKind::Cast(inner) => self.effect(inner),
            // What is read for nothing is read all the same (C11 6.3.2.1).
            ExprKind::Load(_) if matches!(self.hir.types.get(e.ty.id), Type::Record(_)) => {
                self.struct_value(e).map(|_| ())
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cond(c, a, b) => {
                let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.cond_jump(c, yes, no)?;
                for (loc, branch) in [(yes, a), (no, b)] {
                    self.set_cur(loc);
                    if self.cur.is_some() {
                        self.effect(branch)?;
                        self.jump(end)?;
                    }
                }
                self.set_cur(end);
                Ok(())
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) if e.has_side_effects() => {
                let end = self.new_loc();
                self.cond_jump(e, end, end)?;
                self.set_cur(end);
                Ok(())
            }
            ExprKind::Assign(lv, v) if !self.hir.types.is_scalar(lv.ty.id) => {
                self.struct_assignment(lv, v)
            }
            ExprKind::Atomic(a) => self.atomic(a, e.loc).map(|_| ()),
            ExprKind::Modify(m) if m.target.ty.quals.atomic => self.atomic_modify(m, e).map(|_| ()),
            ExprKind::Modify(m) => self.modify(m, false, e).map(|_| ()),
            ExprKind::Call(callee, args) => self.call_effect(e, callee, args),
            ExprKind::Block(stmts, value) => {
                let mark = self.enter_scope();
                self.statements(stmts)?;
                if let Some(v) = value {
                    self.effect(v)?;
                }
                self.leave_scope(mark)
            }
            _ if self.hir.types.is_scalar(e.ty.id) => self.rvalue(e).map(|_| ()),
            _ => e_children_effects(self, e),
        }
    }

    fn struct_assignment(&mut self, lv: &Expr, v: &Expr) -> R<()> {
        if lv.ty.quals.atomic {
            let new = self.struct_value(v)?;
            return self.atomic_whole(lv, Some(&new)).map(|_| ());
        }
        let to = self.place(lv)?;
        if let ExprKind::Load(source) = &v.kind
            && !source.ty.quals.atomic
        {
            let from = self.place(source)?;
            return self.copy(&to, &from, lv.ty.id, lv.loc);
        }
        let leaves = self.struct_value(v)?;
        self.store_leaves(&to, &leaves, lv.loc)
    }

    /// Whether evaluating it makes no edge: it reads only plain locals and cannot fail.
    pub fn is_pure(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Load(lv) => self.is_plain_local(lv),
            ExprKind::AddrOf(lv) => matches!(lv.kind, ExprKind::Global(_)),
            ExprKind::Cast(a) => self.hir.types.is_scalar(e.ty.id) && self.is_pure(a),
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) => self.is_pure(a),
            ExprKind::Binary(BinOp::Div | BinOp::Rem, a, b) => {
                let signed = self.hir.types.is_signed(b.ty.id);
                let w = self.width(b.ty.id);
                let safe =
                    b.as_int().is_some_and(|v| v != 0 && (!signed || v != crate::expr::mask(w)));
                safe && self.is_pure(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::PtrAdd(a, b, ..)
            | ExprKind::PtrDiff(a, b, _)
            | ExprKind::Overflows(_, a, b, _) => self.is_pure(a) && self.is_pure(b),
            ExprKind::Cond(c, a, b) => {
                self.hir.types.is_scalar(e.ty.id)
                    && self.is_pure(c)
                    && self.is_pure(a)
                    && self.is_pure(b)
            }
            _ => false,
        }
    }

    fn is_plain_local(&mut self, lv: &Expr) -> bool {
        let constant_path = lv_is_constant(lv);
        match base_local(lv) {
            Some(l) if constant_path => self.local_storage(l).is_ok_and(|s| plain(&s)),
            _ => false,
        }
    }
}

fn e_children_effects(lower: &mut Lower, e: &Expr) -> R<()> {
    let mut list = vec![];
    e.children(&mut |c| list.push(c));
    for c in list {
        lower.effect(c)?;
    }
    Ok(())
}

/// Whether an lvalue is a local with constant indices inside its arrays.
fn lv_is_constant(lv: &Expr) -> bool {
    match &lv.kind {
        ExprKind::Local(_) => true,
        ExprKind::Member(base, _) | ExprKind::BitField(base, _) => lv_is_constant(base),
        ExprKind::Index(..) => false,
        _ => false,
    }
}

fn is_plain_lvalue(lv: &Expr) -> bool {
    matches!(lv.kind, ExprKind::Local(_) | ExprKind::Global(_))
}

/// What gcc calls a declaration as an operand.
fn is_variable(e: &Expr) -> bool {
    matches!(&below_casts(e).kind, ExprKind::Load(lv) if is_plain_lvalue(lv))
}
