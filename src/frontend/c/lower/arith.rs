//! Expressions of the program: constants folded, C conversions, substitution.

use super::super::hir::{BinOp, Loc};
use super::super::sema::operator;
use super::super::types::{Type, TypeId};
use super::state::{Lower, R};
use crate::base::HashMap;
use crate::expr::{Node, Op1, Op2, mask};
use crate::program::{Arithmetic, Leaf, ObjId, ProgExpr, ProgPool, SiteKind, Undefined, VarId};

/// `e` with variables replaced by the given values, all at once.
pub fn substitute(pool: &mut ProgPool, e: ProgExpr, values: &HashMap<VarId, ProgExpr>) -> ProgExpr {
    if values.is_empty() {
        return e;
    }
    replace(pool, e, values, &mut HashMap::default())
}

fn replace(
    pool: &mut ProgPool,
    e: ProgExpr,
    values: &HashMap<VarId, ProgExpr>,
    memo: &mut HashMap<ProgExpr, ProgExpr>,
) -> ProgExpr {
    if let Some(&r) = memo.get(&e) {
        return r;
    }
    let w = pool.width(e);
    let mut go = |pool: &mut ProgPool, x| replace(pool, x, values, memo);
    let r = match pool.node(e) {
        Node::Leaf(Leaf::Var(v)) => values.get(&v).copied().unwrap_or(e),
        Node::Leaf(_) | Node::Const(_) => e,
        Node::Op1(op, a) => {
            let a = go(pool, a);
            pool.op1(op, a)
        }
        Node::Op2(op, a, b) => {
            let (a, b) = (go(pool, a), go(pool, b));
            pool.op2(op, a, b)
        }
        Node::Ite(c, a, b) => {
            let (c, a, b) = (go(pool, c), go(pool, a), go(pool, b));
            pool.ite(c, a, b)
        }
        Node::Concat(h, l) => {
            let (h, l) = (go(pool, h), go(pool, l));
            pool.concat(h, l)
        }
        Node::Extract(a, lo) => {
            let a = go(pool, a);
            pool.extract(a, lo, w)
        }
        Node::ZeroExtend(a) => {
            let a = go(pool, a);
            pool.zero_extend(a, w)
        }
        Node::SignExtend(a) => {
            let a = go(pool, a);
            pool.sign_extend(a, w)
        }
    };
    memo.insert(e, r);
    r
}

impl Lower<'_> {
    pub fn constant(&mut self, v: u128, width: u32) -> ProgExpr {
        self.prog.pool.constant(v, width)
    }

    pub fn var(&mut self, v: VarId) -> ProgExpr {
        self.prog.var(v)
    }

    pub fn not(&mut self, a: ProgExpr) -> ProgExpr {
        match self.prog.pool.node(a) {
            Node::Const(v) => {
                let w = self.prog.pool.width(a);
                self.constant(Op1::Not.apply(v, w), w)
            }
            Node::Op1(Op1::Not, inner) => inner,
            _ => self.prog.pool.not(a),
        }
    }

    pub fn and(&mut self, a: ProgExpr, b: ProgExpr) -> ProgExpr {
        let pool = &self.prog.pool;
        if pool.is_true(a) || pool.is_false(b) {
            return b;
        }
        if pool.is_true(b) || pool.is_false(a) {
            return a;
        }
        self.op2(Op2::And, a, b)
    }

    /// An operator, folded if both operands are constants.
    pub fn op2(&mut self, op: Op2, a: ProgExpr, b: ProgExpr) -> ProgExpr {
        let pool = &mut self.prog.pool;
        let w = pool.width(a);
        match (pool.as_const(a), pool.as_const(b)) {
            (Some(x), Some(y)) => {
                let width = if op.is_comparison() { 1 } else { w };
                pool.constant(op.apply(x, y, w), width)
            }
            _ => pool.op2(op, a, b),
        }
    }

    pub fn eq_const(&mut self, a: ProgExpr, v: u128) -> ProgExpr {
        let w = self.prog.pool.width(a);
        let c = self.constant(v, w);
        self.op2(Op2::Eq, a, c)
    }

    pub fn ite(&mut self, c: ProgExpr, a: ProgExpr, b: ProgExpr) -> ProgExpr {
        match self.prog.pool.as_const(c) {
            Some(1) => a,
            Some(_) => b,
            None if a == b => a,
            None => self.prog.pool.ite(c, a, b),
        }
    }

    /// `a + b` for addresses: constants gather on the right.
    pub fn add(&mut self, a: ProgExpr, b: ProgExpr) -> ProgExpr {
        let pool = &self.prog.pool;
        if pool.as_const(a).is_some() && pool.as_const(b).is_none() {
            return self.add(b, a);
        }
        let Some(y) = pool.as_const(b) else { return self.op2(Op2::Add, a, b) };
        if y == 0 {
            return a;
        }
        if let Node::Op2(Op2::Add, base, c) = pool.node(a)
            && let Some(x) = pool.as_const(c)
        {
            let w = pool.width(a);
            let sum = self.constant(Op2::Add.apply(x, y, w), w);
            return self.add(base, sum);
        }
        self.op2(Op2::Add, a, b)
    }

    /// An index of pointer width times the size of an element.
    pub fn scaled(&mut self, index: ProgExpr, size: u64) -> ProgExpr {
        if size == 1 {
            return index;
        }
        let size = self.constant(size.into(), self.pointer_bits());
        self.op2(Op2::Mul, index, size)
    }

    pub fn add_const(&mut self, a: ProgExpr, v: u64) -> ProgExpr {
        let w = self.prog.pool.width(a);
        let c = self.constant(v.into(), w);
        self.add(a, c)
    }

    /// The object and offset of a constant address.
    pub fn as_address(&self, e: ProgExpr) -> Option<(ObjId, u64)> {
        let pool = &self.prog.pool;
        match pool.node(e) {
            Node::Leaf(Leaf::Address(o)) => Some((o, 0)),
            Node::Op2(Op2::Add, a, b) => match (pool.node(a), pool.as_const(b)) {
                (Node::Leaf(Leaf::Address(o)), Some(v)) => Some((o, u64::try_from(v).ok()?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the value is the same in all states.
    pub fn is_constant(&self, e: ProgExpr) -> bool {
        self.prog.pool.as_const(e).is_some() || self.as_address(e).is_some()
    }

    pub fn resize(&mut self, a: ProgExpr, width: u32, signed: bool) -> ProgExpr {
        let w = self.prog.pool.width(a);
        if let Some(v) = self.prog.pool.as_const(a) {
            let v = if signed { crate::expr::sign_extend(v, w) as u128 } else { v };
            return self.constant(v & mask(width), width);
        }
        self.prog.pool.resize(a, width, signed)
    }

    /// The value as 1 bit: whether it is not zero.
    pub fn truth(&mut self, a: ProgExpr) -> ProgExpr {
        let pool = &mut self.prog.pool;
        if let Some(v) = pool.as_const(a) {
            return pool.bool(v != 0);
        }
        match pool.node(a) {
            Node::ZeroExtend(b) => self.truth(b),
            Node::Leaf(Leaf::Address(_)) => pool.bool(true),
            Node::Ite(c, x, y) => match (pool.as_const(x), pool.as_const(y)) {
                (Some(x), Some(0)) if x != 0 => c,
                (Some(0), Some(y)) if y != 0 => self.not(c),
                _ => pool.is_nonzero(a),
            },
            _ => pool.is_nonzero(a),
        }
    }

    /// 1 bit as a number of this width.
    pub fn number(&mut self, bit: ProgExpr, width: u32) -> ProgExpr {
        self.resize(bit, width, false)
    }

    pub fn width(&self, ty: TypeId) -> u32 {
        self.hir.types.width(ty)
    }

    /// C's conversion between scalar types.
    pub fn convert(&mut self, v: ProgExpr, from: TypeId, to: TypeId) -> ProgExpr {
        if from == to {
            return v;
        }
        if *self.hir.types.get(to) == Type::Bool {
            let bit = self.truth(v);
            return self.number(bit, 8);
        }
        self.resize(v, self.width(to), self.hir.types.is_signed(from))
    }

    /// `a op b` in type `at`; the right operand of a shift is converted already.
    pub fn arithmetic(
        &mut self,
        op: BinOp,
        a: ProgExpr,
        b: ProgExpr,
        at: TypeId,
        loc: Loc,
    ) -> R<ProgExpr> {
        self.check_overflow(op, a, b, at, loc)?;
        self.wrapping(op, a, b, at, loc)
    }

    /// The sites of `a op b` in type `at`, if somebody wants to know of overflow.
    pub fn check_overflow(
        &mut self,
        op: BinOp,
        a: ProgExpr,
        b: ProgExpr,
        at: TypeId,
        loc: Loc,
    ) -> R<()> {
        let w = self.prog.pool.width(a);
        let signed = self.hir.types.is_signed(at);
        let (kind, ok) = match op {
            _ if !self.options.checks.arithmetic => return Ok(()),
            BinOp::Shl | BinOp::Shr => {
                let limit = self.constant(w.into(), w);
                (Arithmetic::ShiftRange, self.op2(Op2::Ult, b, limit))
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul if signed && w <= 64 => {
                let (op, wide) = match op {
                    BinOp::Add => (Op2::Add, w + 1),
                    BinOp::Sub => (Op2::Sub, w + 1),
                    _ => (Op2::Mul, 2 * w),
                };
                let (x, y) = (self.resize(a, wide, true), self.resize(b, wide, true));
                let (exact, wrapped) = (self.op2(op, x, y), self.op2(op, a, b));
                let again = self.resize(wrapped, wide, true);
                (Arithmetic::SignedOverflow, self.op2(Op2::Eq, exact, again))
            }
            _ => return Ok(()),
        };
        let (span, text) = (self.span(loc), self.text(loc));
        let site = self.site(SiteKind::Arithmetic(kind), span, text);
        self.check(ok, Some(site))
    }

    /// As [`Lower::arithmetic`], without looking for overflow: C defines that of atomic operations.
    pub fn wrapping(
        &mut self,
        op: BinOp,
        a: ProgExpr,
        b: ProgExpr,
        at: TypeId,
        loc: Loc,
    ) -> R<ProgExpr> {
        let signed = self.hir.types.is_signed(at);
        if matches!(op, BinOp::Div | BinOp::Rem) {
            self.check_division(a, b, signed, loc)?;
        }
        let (op, negate, swap) = operator(op, signed);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let e = self.op2(op, a, b);
        let e = if negate { self.not(e) } else { e };
        Ok(if op.is_comparison() { self.number(e, 32) } else { e })
    }

    /// Whether dividing by it needs no check.
    pub fn divides_safely(&self, divisor: ProgExpr, signed: bool) -> bool {
        let w = self.prog.pool.width(divisor);
        self.prog.pool.as_const(divisor).is_some_and(|v| v != 0 && (!signed || v != mask(w)))
    }

    fn check_division(&mut self, a: ProgExpr, b: ProgExpr, signed: bool, loc: Loc) -> R<()> {
        if self.divides_safely(b, signed) {
            return Ok(());
        }
        let Some(site) = self.undefined_site(Undefined::DivisionByZero, loc) else {
            return Ok(());
        };
        let w = self.prog.pool.width(a);
        let zero = self.eq_const(b, 0);
        let mut ok = self.not(zero);
        if signed {
            let minus = self.eq_const(b, mask(w));
            let least = self.eq_const(a, 1 << (w - 1));
            let overflows = self.and(minus, least);
            let fine = self.not(overflows);
            ok = self.and(ok, fine);
        }
        self.check(ok, Some(site))
    }
}
