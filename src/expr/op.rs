//! Operators and their meaning on values. A value of width `w` is a `u128` below `2^w`.

/// The `width` low bits set; `width` is 1 to 128.
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The value of width `width` as a signed number.
pub fn sign_extend(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// Operators with one operand. The result has the operand's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op1 {
    /// Bitwise complement.
    Not,
    /// Two's complement negation.
    Neg,
}

/// Operators with two operands of one width. Comparisons have width 1, all others the width of
/// the operands. A shift by the width or more gives 0 (or all sign bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op2 {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo `2^w`.
    Add,
    /// Difference modulo `2^w`.
    Sub,
    /// Product modulo `2^w`.
    Mul,
    /// Unsigned quotient; by zero all ones.
    UDiv,
    /// Unsigned remainder; by zero the dividend.
    URem,
    /// Signed quotient, rounded to zero; by zero 1 for a negative dividend, else -1.
    SDiv,
    /// Signed remainder with the sign of the dividend; by zero the dividend.
    SRem,
    /// Shift left.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// Equality, width 1.
    Eq,
    /// Unsigned less than, width 1.
    Ult,
    /// Unsigned less or equal, width 1.
    Ule,
    /// Signed less than, width 1.
    Slt,
    /// Signed less or equal, width 1.
    Sle,
}

impl Op1 {
    /// The value of the operator on an operand of width `w`.
    pub fn apply(self, a: u128, w: u32) -> u128 {
        match self {
            Op1::Not => !a & mask(w),
            Op1::Neg => a.wrapping_neg() & mask(w),
        }
    }
}

impl Op2 {
    /// All of them, for tests.
    pub const ALL: [Op2; 18] = [
        Op2::And,
        Op2::Or,
        Op2::Xor,
        Op2::Add,
        Op2::Sub,
        Op2::Mul,
        Op2::UDiv,
        Op2::URem,
        Op2::SDiv,
        Op2::SRem,
        Op2::Shl,
        Op2::LShr,
        Op2::AShr,
        Op2::Eq,
        Op2::Ult,
        Op2::Ule,
        Op2::Slt,
        Op2::Sle,
    ];

    /// Whether the result has width 1 whatever the operands' width.
    pub fn is_comparison(self) -> bool {
        matches!(self, Op2::Eq | Op2::Ult | Op2::Ule | Op2::Slt | Op2::Sle)
    }

    /// Whether swapping the operands changes nothing.
    pub fn is_commutative(self) -> bool {
        matches!(self, Op2::And | Op2::Or | Op2::Xor | Op2::Add | Op2::Mul | Op2::Eq)
    }

    /// The value of the operator on operands of width `w`.
    pub fn apply(self, a: u128, b: u128, w: u32) -> u128 {
        let m = mask(w);
        let (sa, sb) = (sign_extend(a, w), sign_extend(b, w));
        match self {
            Op2::And => a & b,
            Op2::Or => a | b,
            Op2::Xor => a ^ b,
            Op2::Add => a.wrapping_add(b) & m,
            Op2::Sub => a.wrapping_sub(b) & m,
            Op2::Mul => a.wrapping_mul(b) & m,
            Op2::UDiv => a.checked_div(b).unwrap_or(m),
            Op2::URem => a.checked_rem(b).unwrap_or(a),
            Op2::SDiv if b == 0 => {
                if sa < 0 {
                    1
                } else {
                    m
                }
            }
            Op2::SDiv => sa.wrapping_div(sb) as u128 & m,
            Op2::SRem if b == 0 => a,
            Op2::SRem => sa.wrapping_rem(sb) as u128 & m,
            Op2::Shl if b >= u128::from(w) => 0,
            Op2::Shl => (a << b) & m,
            Op2::LShr if b >= u128::from(w) => 0,
            Op2::LShr => a >> b,
            Op2::AShr if b >= u128::from(w) => (if sa < 0 { u128::MAX } else { 0 }) & m,
            Op2::AShr => (sa >> b) as u128 & m,
            Op2::Eq => u128::from(a == b),
            Op2::Ult => u128::from(a < b),
            Op2::Ule => u128::from(a <= b),
            Op2::Slt => u128::from(sa < sb),
            Op2::Sle => u128::from(sa <= sb),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negative(a: u128, w: u32) -> bool {
        a >> (w - 1) == 1
    }

    fn neg(a: u128, w: u32) -> u128 {
        (!a & mask(w)).wrapping_add(1) & mask(w)
    }

    fn abs(a: u128, w: u32) -> u128 {
        if negative(a, w) { neg(a, w) } else { a }
    }

    /// SMT-LIB's definitions in terms of unsigned operators and single bits.
    fn reference(op: Op2, a: u128, b: u128, w: u32) -> u128 {
        let bit = |v: u128, k: u32| v >> k & 1;
        let word = |f: &dyn Fn(u32) -> u128| (0..w).fold(0, |v, k| v | f(k) << k);
        let moved = |k: u32, up: bool| {
            let by = u32::try_from(b).ok()?;
            let from = if up { k.checked_sub(by) } else { k.checked_add(by) };
            from.filter(|&k| k < w)
        };
        // Restoring division; SMT-LIB's results by zero come out of it.
        let divide = |x: u128, y: u128| {
            (0..w).rev().fold((0, 0), |(q, r), k| {
                let over = r >> 127 == 1;
                let r: u128 = r << 1 | bit(x, k);
                if over || r >= y { (q << 1 | 1, r.wrapping_sub(y)) } else { (q << 1, r) }
            })
        };
        let udiv = |x: u128, y: u128| divide(x, y).0;
        let urem = |x: u128, y: u128| divide(x, y).1;
        let flip = |v: u128| v ^ 1 << (w - 1);
        match op {
            Op2::And => word(&|k| bit(a, k) * bit(b, k)),
            Op2::Or => word(&|k| bit(a, k).max(bit(b, k))),
            Op2::Xor => word(&|k| u128::from(bit(a, k) != bit(b, k))),
            Op2::Add => {
                let carry =
                    |k: u32| (0..k).fold(0, |c, j| u128::from(bit(a, j) + bit(b, j) + c >= 2));
                word(&|k| (bit(a, k) + bit(b, k) + carry(k)) % 2)
            }
            Op2::Sub => reference(Op2::Add, a, neg(b, w), w),
            Op2::Mul => (0..w).filter(|&k| bit(b, k) == 1).fold(0, |sum, k| {
                reference(Op2::Add, sum, word(&|j| if j < k { 0 } else { bit(a, j - k) }), w)
            }),
            Op2::UDiv => udiv(a, b),
            Op2::URem => urem(a, b),
            Op2::SDiv => {
                let q = udiv(abs(a, w), abs(b, w));
                if negative(a, w) == negative(b, w) { q } else { neg(q, w) }
            }
            Op2::SRem => {
                let r = urem(abs(a, w), abs(b, w));
                if negative(a, w) { neg(r, w) } else { r }
            }
            Op2::Shl => word(&|k| moved(k, true).map_or(0, |j| bit(a, j))),
            Op2::LShr => word(&|k| moved(k, false).map_or(0, |j| bit(a, j))),
            Op2::AShr => word(&|k| moved(k, false).map_or(bit(a, w - 1), |j| bit(a, j))),
            Op2::Eq => u128::from((0..w).all(|k| bit(a, k) == bit(b, k))),
            Op2::Ult => u128::from(a < b),
            Op2::Ule => 1 - u128::from(b < a),
            Op2::Slt => u128::from(flip(a) < flip(b)),
            Op2::Sle => u128::from(flip(a) <= flip(b)),
        }
    }

    fn check(values: &[u128], w: u32) {
        for op in Op2::ALL {
            for &a in values {
                for &b in values {
                    let (got, expected) = (op.apply(a, b, w), reference(op, a, b, w));
                    assert_eq!(got, expected, "{op:?} of {a:#x} and {b:#x}, width {w}");
                }
            }
        }
        for &a in values {
            assert_eq!(Op1::Neg.apply(a, w), neg(a, w));
            assert_eq!(Op1::Not.apply(a, w), a ^ mask(w));
        }
    }

    #[test]
    fn smt_lib_meaning() {
        for w in 1..=5 {
            check(&(0..=mask(w)).collect::<Vec<_>>(), w);
        }
        for w in [7, 64, 127, 128] {
            let top = 1u128 << (w - 1);
            let m = mask(w);
            let values =
                [0, 1, 2, 3, 6, 7, u128::from(w) & m, top, top - 1, top + 1, m, m - 1, m / 3];
            check(&values, w);
        }
    }
}
