//! The abstract values of range analysis: a small set of constants, or the product of an
//! unsigned interval, a signed interval, known bits and a congruence (Cousot and Cousot, POPL
//! 1977; the product of the first three as in Regehr and Reid, ASPLOS 2004).

use super::stride::Stride;
use crate::expr::{Op1, Op2, mask, sign_extend};

/// Most constants that a set keeps before it becomes a hull.
const MAX_SET: usize = 24;

/// What is known of a value of one width. A value describes a non-empty set of constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsVal {
    width: u32,
    shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// Exactly these, ascending and without repetition, 1 to [`MAX_SET`].
    Set(Vec<u128>),
    Hull(Hull),
}

/// Intervals, unsigned and signed, the bits that are always 0 or always 1, and a congruence of the
/// unsigned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hull {
    lo: u128,
    hi: u128,
    slo: i128,
    shi: i128,
    zeros: u128,
    ones: u128,
    stride: Stride,
}

fn signed_min(w: u32) -> i128 {
    i128::MIN >> (128 - w)
}

fn signed_max(w: u32) -> i128 {
    i128::MAX >> (128 - w)
}

impl Hull {
    fn top(w: u32) -> Self {
        Hull {
            lo: 0,
            hi: mask(w),
            slo: signed_min(w),
            shi: signed_max(w),
            zeros: 0,
            ones: 0,
            stride: Stride::ANY,
        }
    }

    fn of_set(set: &[u128], w: u32) -> Self {
        let signed = set.iter().map(|&v| sign_extend(v, w));
        Hull {
            lo: set[0],
            hi: set[set.len() - 1],
            slo: signed.clone().min().expect("sets are not empty"),
            shi: signed.max().expect("sets are not empty"),
            zeros: set.iter().fold(mask(w), |a, &v| a & !v),
            ones: set.iter().fold(mask(w), |a, &v| a & v),
            stride: Stride::of_set(set),
        }
    }

    /// Lets each part tighten the others. `None` if nothing is left.
    fn reduce(mut self, w: u32) -> Option<Self> {
        let m = mask(w);
        for _ in 0..2 {
            // Bits that both ends of the unsigned interval share are known.
            let common = 128 - (self.lo ^ self.hi).leading_zeros();
            let high = if common >= 128 { 0 } else { m & (u128::MAX << common) };
            self.ones |= self.lo & high;
            self.zeros |= !self.lo & high & m;
            self.lo = self.lo.max(self.ones);
            self.hi = self.hi.min(m & !self.zeros);
            self.lo = self.stride.up(self.lo)?;
            self.hi = self.stride.down(self.hi)?;
            let sign = 1u128 << (w - 1);
            if self.hi < sign || self.lo >= sign {
                self.slo = self.slo.max(sign_extend(self.lo, w));
                self.shi = self.shi.min(sign_extend(self.hi, w));
            }
            if self.slo >= 0 || self.shi < 0 {
                self.lo = self.lo.max(self.slo as u128 & m);
                self.hi = self.hi.min(self.shi as u128 & m);
            }
            if self.lo > self.hi || self.slo > self.shi || self.zeros & self.ones != 0 {
                return None;
            }
        }
        Some(self)
    }

    fn contains(&self, v: u128, w: u32) -> bool {
        let s = sign_extend(v, w);
        self.lo <= v
            && v <= self.hi
            && self.slo <= s
            && s <= self.shi
            && v & self.zeros == 0
            && v & self.ones == self.ones
            && self.stride.contains(v)
    }
}

impl AbsVal {
    /// Anything.
    pub fn top(width: u32) -> Self {
        if width <= 4 {
            return Self { width, shape: Shape::Set((0..=mask(width)).collect()) };
        }
        Self { width, shape: Shape::Hull(Hull::top(width)) }
    }

    /// One constant.
    pub fn constant(value: u128, width: u32) -> Self {
        Self { width, shape: Shape::Set(vec![value & mask(width)]) }
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The only value, if there is only one.
    pub fn as_const(&self) -> Option<u128> {
        match &self.shape {
            Shape::Set(s) if s.len() == 1 => Some(s[0]),
            _ => None,
        }
    }

    /// All values, if they are few.
    pub fn values(&self) -> Option<&[u128]> {
        match &self.shape {
            Shape::Set(s) => Some(s),
            Shape::Hull(_) => None,
        }
    }

    /// Whether the value may be `v`.
    pub fn may_be(&self, v: u128) -> bool {
        match &self.shape {
            Shape::Set(s) => s.binary_search(&v).is_ok(),
            Shape::Hull(h) => h.contains(v, self.width),
        }
    }

    fn hull(&self) -> Hull {
        match &self.shape {
            Shape::Set(s) => Hull::of_set(s, self.width),
            Shape::Hull(h) => *h,
        }
    }

    /// One of these values, each of `width` bits; `None` if there are none.
    pub fn from_set(mut set: Vec<u128>, width: u32) -> Option<Self> {
        set.sort_unstable();
        set.dedup();
        if set.is_empty() {
            return None;
        }
        if set.len() <= MAX_SET {
            return Some(Self { width, shape: Shape::Set(set) });
        }
        Self::from_hull(Hull::of_set(&set, width), width)
    }

    fn from_hull(h: Hull, width: u32) -> Option<Self> {
        let h = h.reduce(width)?;
        let step = h.stride.step();
        if (h.hi - h.lo) / step < MAX_SET as u128 {
            // `lo` is a value of the congruence.
            let all = (0..=(h.hi - h.lo) / step).map(|k| h.lo + k * step);
            return Self::from_set(all.filter(|&v| h.contains(v, width)).collect(), width);
        }
        Some(Self { width, shape: Shape::Hull(h) })
    }

    /// `from_hull` for bounds that are sound, and so never empty, by construction.
    fn sound(h: Hull, width: u32) -> Self {
        Self::from_hull(h, width).unwrap_or_else(|| Self::top(width))
    }

    /// What either describes.
    pub fn join(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        if let (Shape::Set(a), Shape::Set(b)) = (&self.shape, &other.shape)
            && let Some(v) = Self::from_set(a.iter().chain(b).copied().collect(), self.width)
        {
            return v;
        }
        let (a, b) = (self.hull(), other.hull());
        let h = Hull {
            lo: a.lo.min(b.lo),
            hi: a.hi.max(b.hi),
            slo: a.slo.min(b.slo),
            shi: a.shi.max(b.shi),
            zeros: a.zeros & b.zeros,
            ones: a.ones & b.ones,
            stride: a.stride.join(b.stride),
        };
        Self::sound(h, self.width)
    }

    /// `self`, grown from `old`: bounds that moved go to the next of `thresholds` (ascending,
    /// unsigned) or to the end, so that chains of growth end.
    pub fn widen(&self, old: &Self, thresholds: &[u128]) -> Self {
        if self == old {
            return self.clone();
        }
        let (n, o, w) = (self.hull(), old.hull(), self.width);
        let mut h = n;
        let fits = |t: &&u128| **t <= mask(w);
        if n.hi > o.hi {
            h.hi = *thresholds.iter().filter(fits).find(|&&t| t >= n.hi).unwrap_or(&mask(w));
        }
        if n.lo < o.lo {
            h.lo = *thresholds.iter().filter(fits).rev().find(|&&t| t <= n.lo).unwrap_or(&0);
        }
        let signed = thresholds.iter().filter(fits).map(|&t| sign_extend(t, w));
        if n.shi > o.shi {
            h.shi = signed.clone().filter(|&t| t >= n.shi).min().unwrap_or(signed_max(w));
        }
        if n.slo < o.slo {
            h.slo = signed.filter(|&t| t <= n.slo).max().unwrap_or(signed_min(w));
        }
        Self::sound(h, w)
    }

    /// Whether `self` describes all that `other` does.
    pub fn includes(&self, other: &Self) -> bool {
        self.join(other) == *self
    }

    /// Fewest bits that hold every value: `(bits, signed)`, the value being the extension of its
    /// low `bits` bits, with the sign if `signed`.
    pub fn storage(&self) -> (u32, bool) {
        let h = self.hull();
        let unsigned = (128 - (h.hi & !h.zeros | h.ones).leading_zeros()).max(1);
        let magnitude = |v: i128| 128 - (if v < 0 { !v } else { v } as u128).leading_zeros();
        let signed = magnitude(h.slo).max(magnitude(h.shi)) + 1;
        if unsigned <= signed || signed >= self.width {
            (unsigned.min(self.width), false)
        } else {
            (signed, true)
        }
    }

    /// Number of low bits that are always 0.
    pub fn trailing_zeros(&self) -> u32 {
        self.hull().zeros.trailing_ones().min(self.width)
    }

    /// Smallest and largest value, unsigned.
    pub fn bounds(&self) -> (u128, u128) {
        let h = self.hull();
        (h.lo, h.hi)
    }

    /// The values that satisfy `relation(value)` for some value of `other`, over-approximated;
    /// `None` if there is none. `relation` is a comparison with `self` on the left, or if
    /// `flipped` on the right; `truth` is its outcome.
    pub fn refine(&self, op: Op2, other: &Self, flipped: bool, truth: bool) -> Option<Self> {
        let w = self.width;
        let holds = |a: u128, b: u128| {
            let (x, y) = if flipped { (b, a) } else { (a, b) };
            (op.apply(x, y, w) == 1) == truth
        };
        if let (Some(a), Some(b)) = (self.values(), other.values()) {
            let set = a.iter().copied().filter(|&x| b.iter().any(|&y| holds(x, y))).collect();
            return Self::from_set(set, w);
        }
        let o = other.hull();
        let mut h = self.hull();
        match (op, truth, flipped) {
            (Op2::Eq, true, _) => {
                h.lo = h.lo.max(o.lo);
                h.hi = h.hi.min(o.hi);
                h.slo = h.slo.max(o.slo);
                h.shi = h.shi.min(o.shi);
                h.zeros |= o.zeros;
                h.ones |= o.ones;
                h.stride = h.stride.meet(o.stride);
            }
            (Op2::Eq, false, _) => {
                if let Some(c) = other.as_const() {
                    trim_unequal(&mut h, c, w);
                }
            }
            (Op2::Ult, true, false) | (Op2::Ule, false, true) => {
                h.hi = h.hi.min(o.hi.checked_sub(1)?);
            }
            (Op2::Ule, true, false) | (Op2::Ult, false, true) => h.hi = h.hi.min(o.hi),
            (Op2::Ult, true, true) | (Op2::Ule, false, false) => {
                h.lo = h.lo.max(o.lo.checked_add(1)?);
            }
            (Op2::Ule, true, true) | (Op2::Ult, false, false) => h.lo = h.lo.max(o.lo),
            (Op2::Slt, true, false) | (Op2::Sle, false, true) => {
                h.shi = h.shi.min(o.shi.checked_sub(1)?);
            }
            (Op2::Sle, true, false) | (Op2::Slt, false, true) => h.shi = h.shi.min(o.shi),
            (Op2::Slt, true, true) | (Op2::Sle, false, false) => {
                h.slo = h.slo.max(o.slo.checked_add(1)?);
            }
            (Op2::Sle, true, true) | (Op2::Slt, false, false) => h.slo = h.slo.max(o.slo),
            _ => {}
        }
        let refined = Self::from_hull(h, w)?;
        match self.values() {
            Some(set) => {
                Self::from_set(set.iter().copied().filter(|&v| refined.may_be(v)).collect(), w)
            }
            None => Some(refined),
        }
    }

    /// The result of an operator with one operand.
    pub fn op1(op: Op1, a: &Self) -> Self {
        let w = a.width;
        if let Some(set) = a.values()
            && let Some(v) = Self::from_set(set.iter().map(|&x| op.apply(x, w)).collect(), w)
        {
            return v;
        }
        let h = a.hull();
        let mut r = Hull::top(w);
        match op {
            Op1::Not => {
                r.zeros = h.ones;
                r.ones = h.zeros;
                (r.lo, r.hi) = (mask(w) - h.hi, mask(w) - h.lo);
                (r.slo, r.shi) = (!h.shi, !h.slo);
            }
            Op1::Neg => {
                if h.slo > signed_min(w) {
                    (r.slo, r.shi) = (-h.shi, -h.slo);
                }
                r.zeros = low_zeros(h.zeros, w);
            }
        }
        Self::sound(r, w)
    }

    /// The result of an operator with two operands.
    pub fn op2(op: Op2, a: &Self, b: &Self) -> Self {
        let w = a.width;
        let rw = if op.is_comparison() { 1 } else { w };
        if let (Some(x), Some(y)) = (a.values(), b.values())
            && x.len() * y.len() <= 256
        {
            let all = x.iter().flat_map(|&p| y.iter().map(move |&q| op.apply(p, q, w)));
            if let Some(v) = Self::from_set(all.collect(), rw) {
                return v;
            }
        }
        let (x, y) = (a.hull(), b.hull());
        if op.is_comparison() {
            return Self::compare(op, &x, &y);
        }
        let r = hull_op2(op, &x, &y, w, b.as_const());
        Self::sound(r, w)
    }

    fn compare(op: Op2, x: &Hull, y: &Hull) -> Self {
        let (always, never) = match op {
            Op2::Eq => {
                let apart = x.hi < y.lo || y.hi < x.lo || x.shi < y.slo || y.shi < x.slo;
                (false, apart || x.ones & y.zeros != 0 || x.zeros & y.ones != 0)
            }
            Op2::Ult => (x.hi < y.lo, x.lo >= y.hi),
            Op2::Ule => (x.hi <= y.lo, x.lo > y.hi),
            Op2::Slt => (x.shi < y.slo, x.slo >= y.shi),
            _ => (x.shi <= y.slo, x.slo > y.shi),
        };
        match (always, never) {
            (true, _) => Self::constant(1, 1),
            (_, true) => Self::constant(0, 1),
            _ => Self::top(1),
        }
    }

    /// The concatenation, `high` above `low`.
    pub fn concat(high: &Self, low: &Self) -> Self {
        let (w, lw) = (high.width + low.width, low.width);
        if let (Some(x), Some(y)) = (high.values(), low.values())
            && x.len() * y.len() <= 256
        {
            let all = x.iter().flat_map(|&p| y.iter().map(move |&q| (p << lw) | q));
            if let Some(v) = Self::from_set(all.collect(), w) {
                return v;
            }
        }
        let (x, y) = (high.hull(), low.hull());
        let mut r = Hull::top(w);
        (r.lo, r.hi) = ((x.lo << lw) | y.lo, (x.hi << lw) | y.hi);
        (r.zeros, r.ones) = ((x.zeros << lw) | y.zeros, (x.ones << lw) | y.ones);
        Self::sound(r, w)
    }

    /// Bits `lo .. lo + width`.
    pub fn extract(a: &Self, lo: u32, width: u32) -> Self {
        if let Some(set) = a.values() {
            let all = set.iter().map(|&v| (v >> lo) & mask(width)).collect();
            if let Some(v) = Self::from_set(all, width) {
                return v;
            }
        }
        let h = a.hull();
        let mut r = Hull::top(width);
        if h.hi >> lo <= mask(width) {
            (r.lo, r.hi) = (h.lo >> lo, h.hi >> lo);
        }
        if lo == 0 && h.slo >= signed_min(width) && h.shi <= signed_max(width) {
            (r.slo, r.shi) = (h.slo, h.shi);
        }
        (r.zeros, r.ones) = ((h.zeros >> lo) & mask(width), (h.ones >> lo) & mask(width));
        if lo == 0 && h.hi <= mask(width) {
            r.stride = h.stride;
        }
        Self::sound(r, width)
    }

    /// The extension to `width` bits.
    pub fn extend(a: &Self, width: u32, signed: bool) -> Self {
        let aw = a.width;
        let one = |v: u128| if signed { sign_extend(v, aw) as u128 & mask(width) } else { v };
        if let Some(set) = a.values()
            && let Some(v) = Self::from_set(set.iter().map(|&v| one(v)).collect(), width)
        {
            return v;
        }
        let h = a.hull();
        let mut r = Hull::top(width);
        let high = mask(width) & !mask(aw);
        if signed {
            (r.slo, r.shi) = (h.slo, h.shi);
            (r.zeros, r.ones) = (h.zeros & mask(aw - 1), h.ones & mask(aw - 1));
        } else {
            (r.lo, r.hi) = (h.lo, h.hi);
            (r.zeros, r.ones) = (h.zeros | high, h.ones);
        }
        if !signed || h.slo >= 0 {
            r.stride = h.stride;
        }
        Self::sound(r, width)
    }

    /// Either branch, or the one that a known condition takes.
    pub fn ite(c: &Self, a: &Self, b: &Self) -> Self {
        match c.as_const() {
            Some(1) => a.clone(),
            Some(_) => b.clone(),
            None => a.join(b),
        }
    }
}

/// Cuts the constant off the ends of the intervals.
fn trim_unequal(h: &mut Hull, c: u128, w: u32) {
    if h.lo == c {
        h.lo = h.lo.saturating_add(1);
    }
    if h.hi == c {
        h.hi = h.hi.saturating_sub(1);
    }
    let s = sign_extend(c, w);
    if h.slo == s {
        h.slo = h.slo.saturating_add(1);
    }
    if h.shi == s {
        h.shi = h.shi.saturating_sub(1);
    }
}

/// The mask of low bits that are known zero without a gap.
fn low_zeros(zeros: u128, w: u32) -> u128 {
    let n = zeros.trailing_ones().min(w);
    if n == 0 { 0 } else { mask(n) }
}

fn hull_op2(op: Op2, x: &Hull, y: &Hull, w: u32, constant: Option<u128>) -> Hull {
    let m = mask(w);
    let mut r = Hull::top(w);
    let fits = |lo: i128, hi: i128| lo >= signed_min(w) && hi <= signed_max(w);
    match op {
        Op2::And => {
            r.zeros = x.zeros | y.zeros;
            r.ones = x.ones & y.ones;
            r.hi = x.hi.min(y.hi);
        }
        Op2::Or => {
            r.zeros = x.zeros & y.zeros;
            r.ones = x.ones | y.ones;
            r.lo = x.lo.max(y.lo);
        }
        Op2::Xor => {
            r.zeros = (x.zeros & y.zeros) | (x.ones & y.ones);
            r.ones = (x.zeros & y.ones) | (x.ones & y.zeros);
        }
        Op2::Add => {
            if let Some(hi) = x.hi.checked_add(y.hi).filter(|&s| s <= m) {
                (r.lo, r.hi) = (x.lo + y.lo, hi);
                r.stride = x.stride.add(y.stride);
            }
            if let (Some(lo), Some(hi)) = (x.slo.checked_add(y.slo), x.shi.checked_add(y.shi))
                && fits(lo, hi)
            {
                (r.slo, r.shi) = (lo, hi);
            }
            r.zeros = low_zeros(x.zeros, w) & low_zeros(y.zeros, w);
        }
        Op2::Sub => {
            if x.lo >= y.hi {
                (r.lo, r.hi) = (x.lo - y.hi, x.hi - y.lo);
                r.stride = x.stride.sub(y.stride);
            }
            if let (Some(lo), Some(hi)) = (x.slo.checked_sub(y.shi), x.shi.checked_sub(y.slo))
                && fits(lo, hi)
            {
                (r.slo, r.shi) = (lo, hi);
            }
            r.zeros = low_zeros(x.zeros, w) & low_zeros(y.zeros, w);
        }
        Op2::Mul => {
            if let Some(hi) = x.hi.checked_mul(y.hi).filter(|&p| p <= m) {
                (r.lo, r.hi) = (x.lo * y.lo, hi);
                r.stride = x.stride.mul(y.stride);
            }
            let corners = [(x.slo, y.slo), (x.slo, y.shi), (x.shi, y.slo), (x.shi, y.shi)]
                .map(|(p, q)| p.checked_mul(q));
            if let [Some(a), Some(b), Some(c), Some(d)] = corners {
                let (lo, hi) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
                if fits(lo, hi) {
                    (r.slo, r.shi) = (lo, hi);
                }
            }
            let n = (x.zeros.trailing_ones() + y.zeros.trailing_ones()).min(w);
            r.zeros = if n == 0 { 0 } else { mask(n) };
        }
        Op2::UDiv if y.lo > 0 => (r.lo, r.hi) = (x.lo / y.hi, x.hi / y.lo),
        Op2::URem if y.lo > 0 => r.hi = x.hi.min(y.hi - 1),
        Op2::SDiv if x.slo >= 0 && y.slo > 0 => {
            (r.slo, r.shi) = (x.slo / y.shi, x.shi / y.slo);
        }
        Op2::SRem if x.slo >= 0 && y.slo > 0 => (r.slo, r.shi) = (0, x.shi.min(y.shi - 1)),
        Op2::SRem if y.slo > 0 => {
            (r.slo, r.shi) = (-(y.shi - 1), if x.shi < 0 { 0 } else { y.shi - 1 });
        }
        Op2::Shl => {
            if let Some(k) = constant.filter(|&k| k < u128::from(w)).map(|k| k as u32) {
                if x.hi <= m >> k {
                    (r.lo, r.hi) = (x.lo << k, x.hi << k);
                    r.stride = x.stride.mul(Stride::of_set(&[1 << k]));
                }
                r.zeros = ((x.zeros << k) | if k == 0 { 0 } else { mask(k) }) & m;
                r.ones = (x.ones << k) & m;
            }
        }
        Op2::LShr => {
            r.hi = x.hi;
            if let Some(k) = constant.filter(|&k| k < u128::from(w)).map(|k| k as u32) {
                (r.lo, r.hi) = (x.lo >> k, x.hi >> k);
                r.zeros = x.zeros >> k;
                r.ones = x.ones >> k;
            }
        }
        Op2::AShr => {
            (r.slo, r.shi) = (x.slo.min(0), x.shi.max(-1));
            if let Some(k) = constant.filter(|&k| k < u128::from(w)).map(|k| k as u32) {
                (r.slo, r.shi) = (x.slo >> k, x.shi >> k);
            }
        }
        _ => {}
    }
    r
}
