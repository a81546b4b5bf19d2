//! Atomic operations on structs: one edge that accesses all leaves.

use super::super::hir::{Atomic, AtomicOp, Expr, Loc};
use super::access::Leaves;
use super::place::Place;
use super::state::{Lower, R};
use super::sync::{Case, Operation};
use crate::expr::Op2;
use crate::program::{ProgExpr, VarId};

impl Lower<'_> {
    /// The old value of the struct, and whether a compare-exchange wrote (8 bits).
    pub fn atomic_struct(&mut self, a: &Atomic, loc: Loc) -> R<(Leaves, ProgExpr)> {
        let zero = self.constant(0, 8);
        match (a.op, &a.args[..]) {
            (AtomicOp::Load, []) => Ok((self.atomic_whole(&a.target, None)?, zero)),
            (AtomicOp::Store | AtomicOp::Exchange, [v]) => {
                let new = self.struct_value(v)?;
                Ok((self.atomic_whole(&a.target, Some(&new))?, zero))
            }
            (AtomicOp::CompareExchange { weak }, [expected, desired]) => {
                self.compare_exchange_struct(a, weak, expected, desired)
            }
            _ => Err(self.unsupported(loc, "this atomic operation on a struct")),
        }
    }

    /// Reads an `_Atomic` struct, and writes it if there is a new value, at once. Gives the old
    /// value.
    pub fn atomic_whole(&mut self, lv: &Expr, new: Option<&Leaves>) -> R<Leaves> {
        let place = self.place(lv)?;
        let Some(op) = self.struct_operation(&place, lv, new.is_some())? else {
            let old = self.load_leaves(&place, lv.ty.id, lv.loc)?;
            let old = self.held(old);
            if let Some(new) = new {
                self.store_leaves(&place, new, lv.loc)?;
            }
            return Ok(old);
        };
        let (old, temps) = self.temporaries(lv)?;
        let mut case = Case::always();
        for (k, t) in temps.into_iter().enumerate() {
            case = case.put(t, op.value(k));
        }
        for (k, (_, v)) in new.into_iter().flatten().enumerate() {
            case = case.set(k, *v);
        }
        self.case(&op, case)?;
        self.finish(&op);
        Ok(old)
    }

    fn compare_exchange_struct(
        &mut self,
        a: &Atomic,
        weak: bool,
        expected: &Expr,
        desired: &Expr,
    ) -> R<(Leaves, ProgExpr)> {
        let new = self.struct_value(desired)?;
        let seen = self.place(expected)?;
        let place = self.place(&a.target)?;
        let wanted = self.load_leaves(&seen, expected.ty.id, expected.loc)?;
        let wanted = self.held(wanted);
        let may = match self.spurious(weak)? {
            Some(fails) => self.not(fails),
            None => self.prog.pool.bool(true),
        };
        let old = match self.struct_operation(&place, &a.target, true)? {
            Some(op) => {
                let values: Vec<_> = (0..wanted.len()).map(|k| op.value(k)).collect();
                let same = self.all_equal(&values, &wanted);
                let same = self.and(same, may);
                let (old, temps) = self.temporaries(&a.target)?;
                let mut case = Case::when(same);
                for (k, &t) in temps.iter().enumerate() {
                    case = case.put(t, op.value(k));
                }
                for (k, (_, v)) in new.iter().enumerate() {
                    case = case.set(k, *v);
                }
                self.case(&op, case)?;
                let mut other = Case::when(self.not(same));
                for (k, &t) in temps.iter().enumerate() {
                    other = other.put(t, op.value(k));
                }
                self.case(&op, other)?;
                self.finish(&op);
                old
            }
            None => {
                let old = self.load_leaves(&place, a.target.ty.id, a.target.loc)?;
                let old = self.held(old);
                let values: Vec<_> = old.iter().map(|l| l.1).collect();
                let same = self.all_equal(&values, &wanted);
                let same = self.and(same, may);
                let mut stored = vec![];
                for ((leaf, v), (_, old)) in new.iter().zip(&old) {
                    stored.push((leaf.clone(), self.ite(same, *v, *old)));
                }
                self.store_leaves(&place, &stored, a.target.loc)?;
                old
            }
        };
        let values: Vec<_> = old.iter().map(|l| l.1).collect();
        let same = self.all_equal(&values, &wanted);
        let same = self.and(same, may);
        let done = self.tell(same, |l| l.store_leaves(&seen, &old, expected.loc))?;
        Ok((old, done))
    }

    /// An operation on all leaves of a struct in memory; none if it is in plain variables, or
    /// nowhere.
    fn struct_operation(&mut self, place: &Place, lv: &Expr, writes: bool) -> R<Option<Operation>> {
        if let Place::Vars(..) | Place::Value(_) | Place::Nowhere | Place::Input = place {
            return Ok(None);
        }
        let leaves = self.leaves(lv.ty.id, lv.loc)?;
        let fields: Vec<_> = leaves.iter().map(|l| (l.offset, self.leaf_bits(l.kind))).collect();
        self.operation_on(place.clone(), &fields, writes, lv.loc)
    }

    /// Temporaries for all leaves, as values and as variables.
    fn temporaries(&mut self, lv: &Expr) -> R<(Leaves, Vec<VarId>)> {
        let (mut values, mut temps) = (vec![], vec![]);
        for leaf in self.leaves(lv.ty.id, lv.loc)? {
            let t = self.temp(self.leaf_bits(leaf.kind));
            values.push((leaf, self.var(t)));
            temps.push(t);
        }
        Ok((values, temps))
    }

    /// The values in temporaries.
    fn held(&mut self, leaves: Leaves) -> Leaves {
        let mut out = vec![];
        for (leaf, v) in leaves {
            let t = self.temp(self.prog.pool.width(v));
            self.assign(t, v);
            out.push((leaf, self.var(t)));
        }
        out
    }

    fn all_equal(&mut self, values: &[ProgExpr], wanted: &Leaves) -> ProgExpr {
        let mut same = self.prog.pool.bool(true);
        for (v, (_, w)) in values.iter().zip(wanted) {
            let equal = self.op2(Op2::Eq, *v, *w);
            same = self.and(same, equal);
        }
        same
    }
}
