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
