//! The operators on bit-vectors in terms of the pool's.

use crate::expr::{MAX_WIDTH, Op1, Op2, mask};
use crate::ts::{TsExpr, TsPool};

/// What a binary operator wants of its operands and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Two operands of width 1; the result as well.
    Bits,
    /// Two operands of one width; the result has width 1.
    Comparison,
    /// Two operands of one width; the result has that, too.
    Words,
    /// Two operands of any width; the result has both together.
    Concat,
}

/// The shape of the binary operator with this name, if there is one on bit-vectors only.
pub(super) fn binary_shape(name: &str) -> Option<Shape> {
    Some(match name {
        "iff" | "implies" => Shape::Bits,
        "eq" | "neq" | "sgt" | "ugt" | "sgte" | "ugte" | "slt" | "ult" | "slte" | "ulte"
        | "saddo" | "uaddo" | "sdivo" | "udivo" | "smulo" | "umulo" | "ssubo" | "usubo" => {
            Shape::Comparison
        }
        "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "rol" | "ror" | "sll" | "sra" | "srl"
        | "add" | "mul" | "sdiv" | "udiv" | "smod" | "srem" | "urem" | "sub" => Shape::Words,
        "concat" => Shape::Concat,
        _ => return None,
    })
}

/// Whether this is the name of a unary operator, and if so whether its result has width 1.
pub(super) fn unary_reduces(name: &str) -> Option<bool> {
    match name {
        "not" | "inc" | "dec" | "neg" => Some(false),
        "redand" | "redor" | "redxor" => Some(true),
        _ => None,
    }
}

/// A unary operator.
pub(super) fn unary(pool: &mut TsPool, name: &str, a: TsExpr) -> TsExpr {
    let width = pool.width(a);
    match name {
        "not" => pool.not(a),
        "neg" => pool.op1(Op1::Neg, a),
        "inc" | "dec" => {
            let one = pool.constant(1, width);
            pool.op2(if name == "inc" { Op2::Add } else { Op2::Sub }, a, one)
        }
        "redand" => {
            let ones = pool.constant(mask(width), width);
            pool.eq(a, ones)
        }
        "redor" => pool.is_nonzero(a),
        _ => {
            let first = pool.extract(a, 0, 1);
            (1..width).fold(first, |sum, k| {
                let bit = pool.extract(a, k, 1);
                pool.op2(Op2::Xor, sum, bit)
            })
        }
    }
}

/// A binary operator whose operands have its shape.
pub(super) fn binary(pool: &mut TsPool, name: &str, a: TsExpr, b: TsExpr) -> TsExpr {
    let simple = match name {
        "iff" | "eq" => Some((Op2::Eq, a, b)),
        "sgt" => Some((Op2::Slt, b, a)),
        "ugt" => Some((Op2::Ult, b, a)),
        "sgte" => Some((Op2::Sle, b, a)),
        "ugte" => Some((Op2::Ule, b, a)),
        "slt" => Some((Op2::Slt, a, b)),
        "ult" => Some((Op2::Ult, a, b)),
        "slte" => Some((Op2::Sle, a, b)),
        "ulte" => Some((Op2::Ule, a, b)),
        "and" => Some((Op2::And, a, b)),
        "or" => Some((Op2::Or, a, b)),
        "xor" => Some((Op2::Xor, a, b)),
        "sll" => Some((Op2::Shl, a, b)),
        "srl" => Some((Op2::LShr, a, b)),
        "sra" => Some((Op2::AShr, a, b)),
        "add" => Some((Op2::Add, a, b)),
        "sub" => Some((Op2::Sub, a, b)),
        "mul" => Some((Op2::Mul, a, b)),
        "sdiv" => Some((Op2::SDiv, a, b)),
        "udiv" => Some((Op2::UDiv, a, b)),
        "srem" => Some((Op2::SRem, a, b)),
        "urem" => Some((Op2::URem, a, b)),
        _ => None,
    };
    if let Some((op, a, b)) = simple {
        return pool.op2(op, a, b);
    }
    match name {
        "neq" => complement(pool, Op2::Eq, a, b),
        "nand" => complement(pool, Op2::And, a, b),
        "nor" => complement(pool, Op2::Or, a, b),
        "xnor" => complement(pool, Op2::Xor, a, b),
        "implies" => {
            let a = pool.not(a);
            pool.or(a, b)
        }
        "concat" => pool.concat(a, b),
        "rol" => rotate(pool, Op2::Shl, Op2::LShr, a, b),
        "ror" => rotate(pool, Op2::LShr, Op2::Shl, a, b),
        "smod" => signed_modulo(pool, a, b),
        // Unsigned division never overflows.
        "udivo" => pool.bool(false),
        _ => overflow(pool, name, a, b),
    }
}

fn complement(pool: &mut TsPool, op: Op2, a: TsExpr, b: TsExpr) -> TsExpr {
    let e = pool.op2(op, a, b);
    pool.not(e)
}

/// `a` rotated by `b` bits modulo its width, towards `there`.
fn rotate(pool: &mut TsPool, there: Op2, back: Op2, a: TsExpr, b: TsExpr) -> TsExpr {
    let width = pool.width(a);
    let bits = pool.constant(u128::from(width), width);
    let by = pool.op2(Op2::URem, b, bits);
    let rest = pool.op2(Op2::Sub, bits, by);
    let x = pool.op2(there, a, by);
    // A shift by the whole width gives 0.
    let y = pool.op2(back, a, rest);
    pool.or(x, y)
}

/// The remainder with the sign of the divisor; by zero the dividend.
fn signed_modulo(pool: &mut TsPool, a: TsExpr, b: TsExpr) -> TsExpr {
    let width = pool.width(a);
    let remainder = pool.op2(Op2::SRem, a, b);
    let (sign_a, sign_b) = (pool.extract(a, width - 1, 1), pool.extract(b, width - 1, 1));
    let differ = pool.op2(Op2::Xor, sign_a, sign_b);
    let nonzero = pool.is_nonzero(remainder);
    let adjust = pool.and(differ, nonzero);
    let sum = pool.op2(Op2::Add, remainder, b);
    pool.ite(adjust, sum, remainder)
}

/// Whether an arithmetic operation leaves its range.
fn overflow(pool: &mut TsPool, name: &str, a: TsExpr, b: TsExpr) -> TsExpr {
    let width = pool.width(a);
    let sign = |pool: &mut TsPool, e| pool.extract(e, width - 1, 1);
    match name {
        "uaddo" => {
            let sum = pool.op2(Op2::Add, a, b);
            pool.op2(Op2::Ult, sum, a)
        }
        "usubo" => pool.op2(Op2::Ult, a, b),
        "saddo" | "ssubo" => {
            // The operands' signs let it overflow, and the result has not the sign of `a`.
            let op = if name == "saddo" { Op2::Add } else { Op2::Sub };
            let result = pool.op2(op, a, b);
            let (x, y, z) = (sign(pool, a), sign(pool, b), sign(pool, result));
            let may = if name == "saddo" { pool.eq(x, y) } else { pool.op2(Op2::Xor, x, y) };
            let changed = pool.op2(Op2::Xor, x, z);
            pool.and(may, changed)
        }
        "sdivo" => {
            let lowest = pool.constant(1 << (width - 1), width);
            let minus_one = pool.constant(mask(width), width);
            let (x, y) = (pool.eq(a, lowest), pool.eq(b, minus_one));
            pool.and(x, y)
        }
        "umulo" => multiplication_overflow(pool, a, b, false),
        "smulo" => multiplication_overflow(pool, a, b, true),
        _ => unreachable!("{name} is in the table of shapes"),
    }
}

/// Whether a product does not fit: by the product of double width, or where that is too wide by
/// dividing the product again.
fn multiplication_overflow(pool: &mut TsPool, a: TsExpr, b: TsExpr, signed: bool) -> TsExpr {
    let width = pool.width(a);
    if 2 * width <= MAX_WIDTH {
        let x = pool.resize(a, 2 * width, signed);
        let y = pool.resize(b, 2 * width, signed);
        let product = pool.op2(Op2::Mul, x, y);
        let low = pool.extract(product, 0, width);
        let again = pool.resize(low, 2 * width, signed);
        return complement(pool, Op2::Eq, product, again);
    }
    let product = pool.op2(Op2::Mul, a, b);
    let (div, rem) = if signed { (Op2::SDiv, Op2::SRem) } else { (Op2::UDiv, Op2::URem) };
    let quotient = pool.op2(div, product, a);
    let remainder = pool.op2(rem, product, a);
    let other = complement(pool, Op2::Eq, quotient, b);
    let rest = pool.is_nonzero(remainder);
    let wrong = pool.or(other, rest);
    let nonzero = pool.is_nonzero(a);
    let overflow = pool.and(nonzero, wrong);
    if !signed {
        return overflow;
    }
    // The lowest number divided by -1 wraps around.
    let minus_one = pool.constant(mask(width), width);
    let lowest = pool.constant(1 << (width - 1), width);
    let negates = pool.eq(a, minus_one);
    let wraps = pool.eq(b, lowest);
    pool.ite(negates, wraps, overflow)
}
