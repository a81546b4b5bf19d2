//! Circuits of arithmetic on words, lowest bit first. Division by zero is SMT-LIB's.

use super::word::{mux, not};
use crate::aig::{Aig, Lit};

/// Sum and carry of three bits in seven ands: the carry uses gates of the sum.
fn full_adder(aig: &mut Aig, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
    let half = aig.xor(a, b);
    let sum = aig.xor(half, c);
    let generate = aig.and(a, b);
    let propagate = aig.and(half, c);
    (sum, aig.or(generate, propagate))
}

/// `a + b + carry` modulo the words' width, and the carry out.
pub fn add_carry(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        // A constant comes last, where the adder folds to half of it.
        let (s, c) = match (x.is_const(), y.is_const()) {
            (true, false) => full_adder(aig, y, carry, x),
            (false, true) => full_adder(aig, x, carry, y),
            _ => full_adder(aig, x, y, carry),
        };
        sum.push(s);
        carry = c;
    }
    (sum, carry)
}

/// `a + b`.
pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add_carry(aig, a, b, Lit::FALSE).0
}

/// `a - b`, and whether `a >= b` as unsigned numbers.
pub fn sub(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
    add_carry(aig, a, &not(b), Lit::TRUE)
}

/// `-a`.
pub fn neg(aig: &mut Aig, a: &[Lit]) -> Vec<Lit> {
    let zero = vec![Lit::FALSE; a.len()];
    sub(aig, &zero, a).0
}

/// Negates `a` if `c`.
fn neg_if(aig: &mut Aig, c: Lit, a: &[Lit]) -> Vec<Lit> {
    let flipped: Vec<Lit> = a.iter().map(|&x| aig.xor(x, c)).collect();
    let zero = vec![Lit::FALSE; a.len()];
    add_carry(aig, &flipped, &zero, c).0
}

/// Whether `a < b`, or `a <= b` if `or_equal`, as unsigned numbers.
pub fn less(aig: &mut Aig, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let mut lower = Lit::from(or_equal);
    for (&x, &y) in a.iter().zip(b) {
        let below = aig.and(!x, y);
        let above = aig.and(x, !y);
        let kept = aig.and(!above, lower);
        lower = aig.or(below, kept);
    }
    lower
}

/// Whether `a < b`, or `a <= b` if `or_equal`, as signed numbers.
pub fn signed_less(aig: &mut Aig, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let flip = |word: &[Lit]| {
        let mut word = word.to_vec();
        let top = word.len() - 1;
        word[top] = !word[top];
        word
    };
    less(aig, &flip(a), &flip(b), or_equal)
}

/// `a * b`.
pub fn mul(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let constants = |word: &[Lit]| word.iter().filter(|x| x.is_const()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    if constants(b) == b.len() {
        return mul_const(aig, a, b);
    }
    let n = a.len();
    let mut sum = vec![Lit::FALSE; n];
    for (k, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Vec<Lit> = a[..n - k].iter().map(|&x| aig.and(x, bit)).collect();
        let high = add(aig, &sum[k..], &row);
        sum[k..].copy_from_slice(&high);
    }
    sum
}

/// `a` times the constant `b`, by its non-adjacent form: runs of ones cost one addition and one
/// subtraction (Reitwiesner, Binary arithmetic, 1960).
fn mul_const(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let n = a.len();
    let mut sum = vec![Lit::FALSE; n];
    let mut carry = false;
    for k in 0..n {
        if (b[k] == Lit::TRUE) == carry {
            // Digit 0: outside of a run of ones, or inside of one.
            continue;
        }
        let next = b.get(k + 1) == Some(&Lit::TRUE);
        carry = next;
        let row = &a[..n - k];
        let high = if next { sub(aig, &sum[k..], row).0 } else { add(aig, &sum[k..], row) };
        sum[k..].copy_from_slice(&high);
    }
    sum
}

/// Unsigned quotient and remainder by restoring division. By zero every step subtracts, which
/// gives all ones and the dividend.
pub fn udiv_rem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let n = a.len();
    let mut quotient = vec![Lit::FALSE; n];
    let mut rest: Vec<Lit> = vec![];
    // Whether the divisor's bits from `k` on are 0, for each `k`.
    let mut high_zero = vec![Lit::TRUE; n + 1];
    for k in (0..n).rev() {
        high_zero[k] = aig.and(high_zero[k + 1], !b[k]);
    }
    for k in (0..n).rev() {
        // After j steps the rest is below 2^j and, but for its top bit, below the divisor.
        rest.insert(0, a[k]);
        let j = rest.len();
        let (difference, at_least) = sub(aig, &rest, &b[..j]);
        let fits = aig.and(high_zero[j], at_least);
        quotient[k] = fits;
        rest = mux(aig, fits, &difference, &rest);
    }
    (quotient, rest)
}

/// Signed quotient, rounded to zero.
pub fn sdiv(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
    let (ua, ub) = (neg_if(aig, sa, a), neg_if(aig, sb, b));
    let (quotient, _) = udiv_rem(aig, &ua, &ub);
    let differ = aig.xor(sa, sb);
    neg_if(aig, differ, &quotient)
}

/// Signed remainder with the dividend's sign.
pub fn srem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
    let (ua, ub) = (neg_if(aig, sa, a), neg_if(aig, sb, b));
    let (_, rest) = udiv_rem(aig, &ua, &ub);
    neg_if(aig, sa, &rest)
}
