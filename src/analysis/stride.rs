//! Congruences: values that are equal to a rest modulo a step (Granger: Static analysis of
//! arithmetical congruences, International Journal of Computer Mathematics 30, 1989).
//!
//! The operations are those of the integers. Who uses them makes sure that nothing wraps.

/// The values `rest + k * step`; with step 0 only `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    step: u128,
    /// Below the step, unless that is 0.
    rest: u128,
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Stride {
    /// Anything.
    pub const ANY: Stride = Stride { step: 1, rest: 0 };

    fn new(step: u128, rest: u128) -> Self {
        Stride { step, rest: if step == 0 { rest } else { rest % step } }
    }

    /// What these values, of which there is one at least, have in common.
    pub fn of_set(set: &[u128]) -> Self {
        let first = set[0];
        Self::new(set.iter().fold(0, |g, &v| gcd(g, v.abs_diff(first))), first)
    }

    /// Distance of neighbouring values, 1 or more.
    pub fn step(self) -> u128 {
        self.step.max(1)
    }

    pub fn contains(self, v: u128) -> bool {
        if self.step == 0 { v == self.rest } else { v % self.step == self.rest }
    }

    /// The least value from `v` on; `None` if that is too large.
    pub fn up(self, v: u128) -> Option<u128> {
        if self.step == 0 {
            return Some(v);
        }
        let (here, step) = (v % self.step, self.step);
        v.checked_add(if here <= self.rest { self.rest - here } else { step - here + self.rest })
    }

    /// The greatest value up to `v`; `None` if there is none.
    pub fn down(self, v: u128) -> Option<u128> {
        if self.step == 0 {
            return Some(v);
        }
        let (here, step) = (v % self.step, self.step);
        v.checked_sub(if here >= self.rest { here - self.rest } else { step - self.rest + here })
    }

    pub fn join(self, other: Self) -> Self {
        let step = gcd(gcd(self.step, other.step), self.rest.abs_diff(other.rest));
        Self::new(step, self.rest)
    }

    /// The finer one: values that are in both are in it.
    pub fn meet(self, other: Self) -> Self {
        let coarse = |s: Self| if s.step == 0 { u128::MAX } else { s.step };
        if coarse(other) > coarse(self) { other } else { self }
    }

    pub fn add(self, other: Self) -> Self {
        match self.rest.checked_add(other.rest) {
            Some(rest) => Self::new(gcd(self.step, other.step), rest),
            None => Self::ANY,
        }
    }

    pub fn sub(self, other: Self) -> Self {
        let step = gcd(self.step, other.step);
        match (step, self.rest.checked_sub(other.rest)) {
            (_, Some(rest)) => Self::new(step, rest),
            (0, None) => Self::ANY,
            (_, None) => Self::new(step, step - (other.rest - self.rest) % step),
        }
    }

    pub fn mul(self, other: Self) -> Self {
        let product = |a: u128, b: u128| a.checked_mul(b);
        let parts = [
            product(self.step, other.step),
            product(self.step, other.rest),
            product(self.rest, other.step),
            product(self.rest, other.rest),
        ];
        match parts {
            [Some(a), Some(b), Some(c), Some(rest)] => Self::new(gcd(a, gcd(b, c)), rest),
            _ => Self::ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u128 = 60;

    fn values(s: Stride) -> Vec<u128> {
        (0..LIMIT).filter(|&v| s.contains(v)).collect()
    }

    fn all() -> Vec<Stride> {
        let steps = (0..7).flat_map(|step| (0..7).map(move |rest| (step, rest)));
        steps.map(|(step, rest)| Stride::new(step, rest)).collect()
    }

    #[test]
    fn operations_describe_all_results() {
        for a in all() {
            for b in all() {
                let (join, meet) = (a.join(b), a.meet(b));
                for &x in &values(a) {
                    assert!(join.contains(x), "{a:?} {b:?} {x}");
                    assert!(!b.contains(x) || meet.contains(x), "{a:?} {b:?} {x}");
                    for &y in &values(b) {
                        assert!(join.contains(y));
                        assert!(a.add(b).contains(x + y), "{a:?} + {b:?}: {x} {y}");
                        assert!(a.mul(b).contains(x * y), "{a:?} * {b:?}: {x} {y}");
                        if x >= y {
                            assert!(a.sub(b).contains(x - y), "{a:?} - {b:?}: {x} {y}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_are_the_nearest() {
        for s in all().into_iter().filter(|s| s.step > 0) {
            for v in 0..LIMIT - 10 {
                let up = (v..).find(|&x| s.contains(x));
                let down = (0..=v).rev().find(|&x| s.contains(x));
                assert_eq!((s.up(v), s.down(v)), (up, down), "{s:?} {v}");
            }
        }
    }

    #[test]
    fn a_set_has_the_greatest_step() {
        assert_eq!(Stride::of_set(&[16, 40, 88]), Stride::new(24, 16));
        assert_eq!(Stride::of_set(&[7]).step, 0);
    }
}
