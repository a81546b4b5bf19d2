//! Atomic operations: one edge each.

use super::super::hir::{Atomic, AtomicOp, BinOp, Expr, Loc, Modify};
use super::place::Place;
use super::state::{Lower, R};
use super::sync::Case;
use crate::expr::{Op1, Op2};
use crate::program::ProgExpr;

/// From the old value: what to write, if anything, and what the operation's value is.
type Effect<'f, L> = dyn FnMut(&mut L, ProgExpr) -> (Option<ProgExpr>, ProgExpr) + 'f;

impl Lower<'_> {
    /// The value of an atomic operation.
    pub fn atomic(&mut self, a: &Atomic, loc: Loc) -> R<ProgExpr> {
        if !self.hir.types.is_scalar(a.target.ty.id) {
            return Ok(self.atomic_struct(a, loc)?.1);
        }
        if let AtomicOp::CompareExchange { weak } = a.op {
            return self.compare_exchange(a, weak, loc);
        }
        let mut args = vec![];
        for arg in a.args.iter().rev() {
            args.push(self.rvalue(arg)?);
        }
        args.reverse();
        let place = self.place(&a.target)?;
        let bits = self.width(a.target.ty.id);
        match a.op {
            AtomicOp::Swap { value } => {
                let old = self.swap(&place, args[0], args[1], None, bits, loc)?;
                if value {
                    return Ok(old);
                }
                let same = self.op2(Op2::Eq, old, args[0]);
                Ok(self.number(same, 8))
            }
            op => self.update(&place, bits, op != AtomicOp::Load, loc, &mut |l, old| match op {
                AtomicOp::Load | AtomicOp::CompareExchange { .. } | AtomicOp::Swap { .. } => {
                    (None, old)
                }
                AtomicOp::Store => (Some(args[0]), args[0]),
                AtomicOp::Exchange => (Some(args[0]), old),
                AtomicOp::Update { op, new } => {
                    let v = l.updated(op, old, args[0]);
                    (Some(v), if new { v } else { old })
                }
            }),
        }
    }

    fn updated(&mut self, op: Option<BinOp>, old: ProgExpr, by: ProgExpr) -> ProgExpr {
        let word = match op {
            Some(BinOp::Add) => Op2::Add,
            Some(BinOp::Sub) => Op2::Sub,
            Some(BinOp::Or) => Op2::Or,
            Some(BinOp::Xor) => Op2::Xor,
            _ => Op2::And,
        };
        let v = self.op2(word, old, by);
        if op.is_some() { v } else { self.prog.pool.op1(Op1::Not, v) }
    }

    /// One edge that reads the place and perhaps `writes` it: `f` tells from the old value what to
    /// write and what the operation's value is.
    fn update(
        &mut self,
        place: &Place,
        bits: u32,
        writes: bool,
        loc: Loc,
        f: &mut Effect<'_, Self>,
    ) -> R<ProgExpr> {
        let t = self.temp(bits);
        if let Place::Vars(..) | Place::Value(_) | Place::Nowhere = place {
            let old = self.load(place, bits, loc)?;
            let (new, value) = f(self, old);
            self.assign(t, value);
            if let Some(new) = new {
                self.store(place, new, loc)?;
            }
            return Ok(self.var(t));
        }
        if let Some(op) = self.operation_on(place.clone(), &[(0, bits)], writes, loc)? {
            let (new, value) = f(self, op.value(0));
            let mut case = Case::always().put(t, value);
            if let Some(new) = new {
                case = case.set(0, new);
            }
            self.case(&op, case)?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    /// Writes `new` if the place holds `expected` (and `fails`, 1 bit, is not set); gives what it
    /// held.
    fn swap(
        &mut self,
        place: &Place,
        expected: ProgExpr,
        new: ProgExpr,
        fails: Option<ProgExpr>,
        bits: u32,
        loc: Loc,
    ) -> R<ProgExpr> {
        let t = self.temp(bits);
        if let Place::Vars(..) | Place::Value(_) | Place::Nowhere = place {
            let old = self.load(place, bits, loc)?;
            self.assign(t, old);
            let old = self.var(t);
            let same = self.op2(Op2::Eq, old, expected);
            let value = self.ite(same, new, old);
            self.store(place, value, loc)?;
            return Ok(self.var(t));
        }
        if let Some(op) = self.operation_on(place.clone(), &[(0, bits)], true, loc)? {
            let old = op.value(0);
            let mut same = self.op2(Op2::Eq, old, expected);
            if let Some(fails) = fails {
                let works = self.not(fails);
                same = self.and(same, works);
            }
            self.case(&op, Case::when(same).set(0, new).put(t, old))?;
            let other = self.not(same);
            self.case(&op, Case::when(other).put(t, old))?;
            self.finish(&op);
        }
        Ok(self.var(t))
    }

    fn compare_exchange(&mut self, a: &Atomic, weak: bool, loc: Loc) -> R<ProgExpr> {
        let (expected, bits) = (&a.args[0], self.width(a.target.ty.id));
        let desired = self.rvalue(&a.args[1])?;
        let seen = self.place(expected)?;
        let place = self.place(&a.target)?;
        let wanted = self.temp(bits);
        let v = self.load(&seen, bits, expected.loc)?;
        self.assign(wanted, v);
        let wanted = self.var(wanted);
        let fails = self.spurious(weak)?;
        let old = self.swap(&place, wanted, desired, fails, bits, loc)?;
        let mut same = self.op2(Op2::Eq, old, wanted);
        if let Some(fails) = fails {
            let works = self.not(fails);
            same = self.and(same, works);
        }
        self.tell(same, |l| l.store(&seen, old, expected.loc))
    }

    /// Whether a weak compare-exchange fails though the values are equal; none if it must not.
    pub(super) fn spurious(&mut self, weak: bool) -> R<Option<ProgExpr>> {
        if !weak {
            return Ok(None);
        }
        self.begin_access()?;
        let (t, choice) = (self.temp(1), self.fresh_input("spurious", 1));
        self.assign(t, choice);
        Ok(Some(self.var(t)))
    }

    /// Ends a compare-exchange: what it has not exchanged, `store` tells the caller. Gives whether it
    /// has (8 bits).
    pub(super) fn tell(
        &mut self,
        same: ProgExpr,
        store: impl FnOnce(&mut Self) -> R<()>,
    ) -> R<ProgExpr> {
        let t = self.temp(8);
        let result = self.number(same, 8);
        self.assign(t, result);
        let (tell, end) = (self.new_loc(), self.new_loc());
        self.branch(same, end, tell)?;
        self.set_cur(tell);
        store(self)?;
        self.jump(end)?;
        self.set_cur(end);
        Ok(self.var(t))
    }

    /// `op=`, `++` or `--` on an `_Atomic` object.
    pub fn atomic_modify(&mut self, m: &Modify, e: &Expr) -> R<ProgExpr> {
        let ty = m.target.ty.id;
        let rhs = self.rvalue(&m.rhs)?;
        let signed = self.hir.types.is_signed(m.at);
        if matches!(m.op, BinOp::Div | BinOp::Rem) && !self.divides_safely(rhs, signed) {
            return Err(self.unsupported(e.loc, "an atomic division by what may be 0 or -1"));
        }
        let place = self.place(&m.target)?;
        let mut problem = None;
        let value = self.update(&place, self.width(ty), true, m.target.loc, &mut |l, old| {
            let new = if m.scale > 0 {
                l.pointer_add(old, rhs, m.scale, m.op == BinOp::Sub)
            } else {
                let wide = l.convert(old, ty, m.at);
                match l.wrapping(m.op, wide, rhs, m.at, e.loc) {
                    Ok(sum) => l.convert(sum, m.at, ty),
                    Err(d) => {
                        problem = Some(d);
                        old
                    }
                }
            };
            (Some(new), if m.old { old } else { new })
        })?;
        match problem {
            Some(d) => Err(d),
            None => Ok(value),
        }
    }

    /// The value of an `_Atomic` object.
    pub fn atomic_load(&mut self, lv: &Expr) -> R<ProgExpr> {
        let place = self.place(lv)?;
        self.update(&place, self.width(lv.ty.id), false, lv.loc, &mut |_, old| (None, old))
    }

    /// Assigns an `_Atomic` object.
    pub fn atomic_store(&mut self, lv: &Expr, v: &Expr) -> R<ProgExpr> {
        let place = self.place(lv)?;
        let value = self.rvalue(v)?;
        self.update(&place, self.width(lv.ty.id), true, lv.loc, &mut |_, _| (Some(value), value))
    }
}
