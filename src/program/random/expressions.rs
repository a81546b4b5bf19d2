//! Random expressions over a thread's locals.

use super::generator::Generator;
use crate::base::Id;
use crate::expr::{Op1, Op2};
use crate::program::{ProgExpr, ThreadId, VarId};

/// Operators for values; what a wrong circuit for division could hide is worth a few of them.
const VALUE_OPS: [Op2; 14] = [
    Op2::Add,
    Op2::Add,
    Op2::Sub,
    Op2::And,
    Op2::Or,
    Op2::Xor,
    Op2::Mul,
    Op2::UDiv,
    Op2::URem,
    Op2::SDiv,
    Op2::SRem,
    Op2::Shl,
    Op2::LShr,
    Op2::AShr,
];

const CONDITION_OPS: [Op2; 6] = [Op2::Eq, Op2::Eq, Op2::Ult, Op2::Ule, Op2::Slt, Op2::Sle];

impl Generator<'_> {
    /// One of the thread's locals.
    pub(super) fn local(&mut self, t: ThreadId) -> VarId {
        *self.rng.pick(&self.locals[t.index()])
    }

    /// A value of this width that depends on locals only.
    pub(super) fn value(&mut self, t: ThreadId, width: u32, depth: usize) -> ProgExpr {
        if depth == 0 || self.rng.one_in(3) {
            if self.rng.one_in(3) {
                let value = self.rng.next_u128();
                return self.b.pool().constant(value, width);
            }
            let v = self.local(t);
            let (v, signed) = (self.b.var(v), self.rng.one_in(3));
            return self.b.pool().resize(v, width, signed);
        }
        let a = self.value(t, width, depth - 1);
        match self.rng.below(8) {
            0 => {
                let op = *self.rng.pick(&[Op1::Not, Op1::Neg]);
                self.b.pool().op1(op, a)
            }
            1 => {
                let (c, b) = (self.condition(t), self.value(t, width, depth - 1));
                self.b.pool().ite(c, a, b)
            }
            2 => {
                let low = self.value(t, 1, depth - 1);
                let both = self.b.pool().concat(a, low);
                self.b.pool().extract(both, 1, width)
            }
            3 => {
                let c = self.condition(t);
                self.b.pool().zero_extend(c, width)
            }
            _ => {
                let b = self.value(t, width, depth - 1);
                let op = *self.rng.pick(&VALUE_OPS);
                self.b.pool().op2(op, a, b)
            }
        }
    }

    /// A condition on locals.
    pub(super) fn condition(&mut self, t: ThreadId) -> ProgExpr {
        let v = self.local(t);
        let v = self.b.var(v);
        self.compare(t, v)
    }

    /// A condition on a value and perhaps on locals.
    pub(super) fn compare(&mut self, t: ThreadId, a: ProgExpr) -> ProgExpr {
        let width = self.b.pool().width(a);
        let b = if self.rng.one_in(3) {
            self.value(t, width, 0)
        } else {
            let value = self.rng.below(3) as u128;
            self.b.pool().constant(value, width)
        };
        let op = *self.rng.pick(&CONDITION_OPS);
        let c = self.b.pool().op2(op, a, b);
        if self.rng.one_in(2) { self.b.pool().not(c) } else { c }
    }

    /// A condition on one shared variable and perhaps on locals.
    pub(super) fn shared_condition(&mut self, t: ThreadId) -> ProgExpr {
        let x = *self.rng.pick(&self.shared);
        let x = self.b.var(x);
        self.compare(t, x)
    }
}
