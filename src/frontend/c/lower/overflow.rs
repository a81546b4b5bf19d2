//! Whether a result is in the range of a type: gcc's `__builtin_add_overflow` and its like.

use super::super::hir::BinOp;
use super::super::types::TypeId;
use super::state::Lower;
use crate::expr::Op2;
use crate::program::ProgExpr;

/// A value and its type.
type Operand = (ProgExpr, TypeId);

impl Lower<'_> {
    /// Whether `a op b`, computed without bounds, is no value of the integer type `to`; 1 bit.
    pub fn overflows(&mut self, op: BinOp, a: Operand, b: Operand, to: TypeId) -> ProgExpr {
        let signs = [a, b].map(|x| self.hir.types.is_signed(x.1));
        let widths = [a, b].map(|x| self.prog.pool.width(x.0));
        let (op, wide, signed) = match op {
            BinOp::Add => (Op2::Add, widths[0].max(widths[1]) + 2, true),
            BinOp::Sub => (Op2::Sub, widths[0].max(widths[1]) + 2, true),
            // A product is as wide as both factors, and negative only if one of them can be.
            _ => (Op2::Mul, widths[0] + widths[1], signs[0] || signs[1]),
        };
        let x = self.resize(a.0, wide, signs[0]);
        let y = self.resize(b.0, wide, signs[1]);
        let exact = self.op2(op, x, y);
        let fits = self.fits(exact, signed, to);
        self.not(fits)
    }

    /// Whether a value is one of the integer type `to`.
    fn fits(&mut self, exact: ProgExpr, signed: bool, to: TypeId) -> ProgExpr {
        let (wide, width) = (self.prog.pool.width(exact), self.width(to));
        let to_signed = self.hir.types.is_signed(to);
        // Bits of a value that are not negative, without the sign.
        let room = width - u32::from(to_signed);
        if signed && to_signed {
            if width >= wide {
                return self.prog.pool.bool(true);
            }
            let low = self.resize(exact, width, false);
            let again = self.resize(low, wide, true);
            return self.op2(Op2::Eq, exact, again);
        }
        let mut fits = match room < wide {
            true => {
                let limit = self.constant(1 << room, wide);
                self.op2(Op2::Ult, exact, limit)
            }
            false => self.prog.pool.bool(true),
        };
        if signed && room >= wide {
            let zero = self.constant(0, wide);
            let negative = self.op2(Op2::Slt, exact, zero);
            let not = self.not(negative);
            fits = self.and(fits, not);
        }
        fits
    }
}
