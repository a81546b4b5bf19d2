use super::bounds::bits;
use crate::base::{Id, Rng};
use crate::expr::{ExprId, Node, Op1, Op2, Pool, mask};

/// How one expression is built from earlier ones; the same steps build both pools.
#[derive(Clone, Copy, Debug)]
enum Step {
    Leaf(u32, u32),
    Const(u128, u32),
    Op1(Op1, usize),
    Op2(Op2, usize, usize),
    Ite(usize, usize, usize),
    Concat(usize, usize),
    Extract(usize, u32, u32),
    Extend(usize, u32, bool),
}

fn build(pool: &mut Pool<u32>, steps: &[Step]) -> Vec<ExprId> {
    let mut built: Vec<ExprId> = vec![];
    for &step in steps {
        let e = match step {
            Step::Leaf(l, w) => pool.leaf(l, w),
            Step::Const(v, w) => pool.constant(v, w),
            Step::Op1(op, a) => pool.op1(op, built[a]),
            Step::Op2(op, a, b) => pool.op2(op, built[a], built[b]),
            Step::Ite(c, a, b) => pool.ite(built[c], built[a], built[b]),
            Step::Concat(h, l) => pool.concat(built[h], built[l]),
            Step::Extract(a, lo, w) => pool.extract(built[a], lo, w),
            Step::Extend(a, w, true) => pool.sign_extend(built[a], w),
            Step::Extend(a, w, false) => pool.zero_extend(built[a], w),
        };
        built.push(e);
    }
    built
}

/// The values of all expressions of the pool.
fn values(pool: &Pool<u32>, leaf: &dyn Fn(u32) -> u128) -> Vec<u128> {
    let mut values: Vec<u128> = vec![];
    for e in (0..pool.len()).map(ExprId::new) {
        let v = match pool.node(e) {
            Node::Leaf(l) => leaf(l),
            _ => pool.apply(e, |x| values[x.index()]).unwrap(),
        };
        values.push(v);
    }
    values
}

/// Builds the steps in a raw and a rewriting pool and compares all values on all `frames` (a
/// value per leaf). Returns the rewriting pool.
fn compare(steps: &[Step], frames: &[Vec<u128>]) -> Pool<u32> {
    let (mut raw, mut rewriting) = (Pool::raw(), Pool::rewriting());
    let (before, after) = (build(&mut raw, steps), build(&mut rewriting, steps));
    for (k, (&x, &y)) in before.iter().zip(&after).enumerate() {
        assert_eq!(raw.width(x), rewriting.width(y), "width of step {k} of {steps:?}");
    }
    for frame in frames {
        let leaf = |l: u32| frame[l as usize];
        let (x, y) = (values(&raw, &leaf), values(&rewriting, &leaf));
        for (k, (&a, &b)) in before.iter().zip(&after).enumerate() {
            if x[a.index()] != y[b.index()] {
                panic!(
                    "step {k}: {} became {}, on {frame:?} of {steps:?}",
                    x[a.index()],
                    y[b.index()]
                );
            }
        }
    }
    rewriting
}

/// All combinations of values of leaves of these widths.
fn all_frames(widths: &[u32]) -> Vec<Vec<u128>> {
    let mut frames = vec![vec![]];
    for &w in widths {
        frames = frames
            .into_iter()
            .flat_map(|f| (0..=mask(w)).map(move |v| [f.clone(), vec![v]].concat()))
            .collect();
    }
    frames
}

/// Every operator on every pair of small expressions over two leaves and all constants.
#[test]
fn two_operators_exhaustively_up_to_width_4() {
    for w in 1..=4 {
        let mut steps = vec![Step::Leaf(0, w), Step::Leaf(1, w), Step::Leaf(2, 1)];
        let constants: Vec<u128> = match w {
            1 | 2 => (0..=mask(w)).collect(),
            3 => vec![1, 4, 5, 7],
            _ => vec![1, 6, 15],
        };
        steps.extend(constants.iter().map(|&k| Step::Const(k, w)));
        let words: Vec<usize> = (0..steps.len()).filter(|&k| k != 2).collect();
        let mut inner = words.clone();
        let push = |steps: &mut Vec<Step>, step| {
            steps.push(step);
            steps.len() - 1
        };
        for &a in &words {
            for op in [Op1::Not, Op1::Neg] {
                inner.push(push(&mut steps, Step::Op1(op, a)));
            }
            for &b in &words {
                inner.push(push(&mut steps, Step::Ite(2, a, b)));
                for op in Op2::ALL {
                    let e = push(&mut steps, Step::Op2(op, a, b));
                    inner.push(if op.is_comparison() && w > 1 {
                        push(&mut steps, Step::Extend(e, w, false))
                    } else {
                        e
                    });
                }
            }
            for lo in 0..w {
                for width in 1..=w - lo {
                    let e = push(&mut steps, Step::Extract(a, lo, width));
                    for signed in [false, true] {
                        inner.push(push(&mut steps, Step::Extend(e, w, signed)));
                    }
                    if width < w {
                        let k = push(&mut steps, Step::Const(lo.into(), w - width));
                        inner.push(push(&mut steps, Step::Concat(e, k)));
                        inner.push(push(&mut steps, Step::Concat(k, e)));
                    }
                }
            }
        }
        for &a in &inner {
            for op in [Op1::Not, Op1::Neg] {
                steps.push(Step::Op1(op, a));
            }
            for lo in 0..w {
                steps.push(Step::Extract(a, lo, 1));
                steps.push(Step::Extract(a, 0, lo + 1));
            }
            steps.push(Step::Extend(a, w + 2, true));
            for &b in &words {
                steps.push(Step::Concat(a, b));
                steps.push(Step::Concat(b, a));
                steps.push(Step::Ite(2, a, b));
                steps.push(Step::Ite(2, b, a));
                for op in Op2::ALL {
                    steps.push(Step::Op2(op, a, b));
                    steps.push(Step::Op2(op, b, a));
                }
            }
        }
        let pool = compare(&steps, &all_frames(&[w, w, 1]));
        assert!(!pool.fuel.exhausted, "the rules do not come to an end");
    }
}

/// And, or and ite of bits of every kind over few leaves, three levels deep.
#[test]
fn bits_exhaustively() {
    let mut steps = vec![Step::Leaf(0, 1), Step::Leaf(1, 1), Step::Leaf(2, 2)];
    let mut bits = vec![0, 1];
    for v in 0..3 {
        steps.push(Step::Const(v, 2));
        steps.push(Step::Op2(Op2::Eq, 2, steps.len() - 1));
        bits.push(steps.len() - 1);
    }
    for bit in bits.clone() {
        steps.push(Step::Op1(Op1::Not, bit));
        bits.push(steps.len() - 1);
    }
    for level in 0..2 {
        let now = bits.clone();
        let others = if level == 0 { now.clone() } else { vec![0, 1, 4, 6, now[5], now[7]] };
        for &a in &now {
            for &b in &others {
                for op in [Op2::And, Op2::Or, Op2::Xor] {
                    steps.push(Step::Op2(op, a, b));
                    bits.push(steps.len() - 1);
                    steps.push(Step::Op1(Op1::Not, steps.len() - 1));
                    bits.push(steps.len() - 1);
                }
                for &c in &others[..2] {
                    steps.push(Step::Ite(c, a, b));
                    bits.push(steps.len() - 1);
                    steps.push(Step::Ite(a, b, c));
                }
            }
        }
    }
    let pool = compare(&steps, &all_frames(&[1, 1, 2]));
    assert!(!pool.fuel.exhausted, "the rules do not come to an end");
}

/// A step over the expressions of `widths`.
fn random_step(rng: &mut Rng, widths: &[u32], max: u32) -> Step {
    let n = widths.len();
    // Recent expressions more often, so that the rules see deep ones.
    let any =
        |rng: &mut Rng| if rng.one_in(2) { rng.below(n) } else { n - 1 - rng.below(n.min(8)) };
    let of_width = |rng: &mut Rng, w: u32| {
        let start = any(rng);
        (0..n).map(|k| (start + k) % n).find(|&k| widths[k] == w)
    };
    let a = any(rng);
    let w = widths[a];
    let b = of_width(rng, w).expect("a itself has the width");
    match rng.below(12) {
        0 => Step::Const(rng.next_u128() >> rng.below(128) & mask(w), w),
        1 => Step::Op1(*rng.pick(&[Op1::Not, Op1::Neg]), a),
        2 | 3 => match of_width(rng, 1) {
            Some(c) => Step::Ite(c, a, b),
            None => Step::Extract(a, 0, 1),
        },
        4 => {
            let c = any(rng);
            if w + widths[c] <= max { Step::Concat(a, c) } else { Step::Extract(a, w / 2, 1) }
        }
        5 => {
            let lo = rng.below(w as usize) as u32;
            Step::Extract(a, lo, 1 + rng.below((w - lo) as usize) as u32)
        }
        6 => Step::Extend(a, w + rng.below((max - w + 1) as usize) as u32, rng.one_in(2)),
        _ => Step::Op2(*rng.pick(&Op2::ALL), a, b),
    }
}

fn width_of(step: Step, widths: &[u32]) -> u32 {
    match step {
        Step::Leaf(_, w) | Step::Const(_, w) | Step::Extract(_, _, w) | Step::Extend(_, w, _) => w,
        Step::Op1(_, a) | Step::Ite(_, a, _) => widths[a],
        Step::Op2(op, a, _) => {
            if op.is_comparison() {
                1
            } else {
                widths[a]
            }
        }
        Step::Concat(h, l) => widths[h] + widths[l],
    }
}

fn random_steps(rng: &mut Rng, leaves: &[u32], max: u32, count: usize) -> Vec<Step> {
    let mut steps: Vec<Step> =
        leaves.iter().enumerate().map(|(k, &w)| Step::Leaf(k as u32, w)).collect();
    let mut widths = leaves.to_vec();
    while steps.len() < count {
        let step = random_step(rng, &widths, max);
        widths.push(width_of(step, &widths));
        steps.push(step);
    }
    steps
}

#[test]
fn random_expressions_on_all_values() {
    let mut exhausted = 0;
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let leaves: Vec<u32> = (0..3).map(|_| 1 + rng.below(4) as u32).collect();
        let max = 4 + rng.below(5) as u32;
        let steps = random_steps(&mut rng, &leaves, max, 40);
        let pool = compare(&steps, &all_frames(&leaves));
        exhausted += u32::from(pool.fuel.exhausted);
    }
    assert!(exhausted < 40, "{exhausted} of 6000 runs used up the bound on rules");
}

/// Some leaves become constants; what they cut off need not be built.
#[test]
fn translation_of_what_is_reached() {
    let mut cut = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let leaves: Vec<u32> =
            (0..4).map(|k| if k < 2 { 1 } else { 1 + rng.below(4) as u32 }).collect();
        let steps = random_steps(&mut rng, &leaves, 6, 60);
        let mut raw = Pool::raw();
        let built = build(&mut raw, &steps);
        let root = *built.last().expect("there are steps");
        let fixed: Vec<Option<u128>> =
            leaves.iter().map(|&w| rng.one_in(2).then(|| rng.next_u128() & mask(w))).collect();
        let leaf = &mut |pool: &mut Pool<u32>, l: u32, w| match fixed[l as usize] {
            Some(v) => pool.constant(v, w),
            None => pool.leaf(l, w),
        };
        let (mut target, mut memo) = (Pool::rewriting(), Default::default());
        let found = raw.translate_reached(root, &mut target, leaf, &mut memo);
        let (mut all, mut every) = (Pool::rewriting(), Default::default());
        raw.translate(root, &mut all, leaf, &mut every);
        cut += usize::from(memo.len() < every.len());
        for mut frame in all_frames(&leaves) {
            for (v, known) in frame.iter_mut().zip(&fixed) {
                *v = known.unwrap_or(*v);
            }
            let of = |l: u32| frame[l as usize];
            let (x, y) = (values(&raw, &of), values(&target, &of));
            assert_eq!(x[root.index()], y[found.index()], "seed {seed}, {frame:?}");
        }
    }
    assert!(cut > 100, "nothing is cut off in {cut} of 1500");
}

#[test]
fn random_wide_expressions() {
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let widths = [1, 7, 8, 16, 31, 32, 63, 64, 65, 127, 128];
        let leaves: Vec<u32> = (0..4).map(|_| *rng.pick(&widths)).collect();
        let steps = random_steps(&mut rng, &leaves, 128, 60);
        let frames: Vec<Vec<u128>> = (0..24)
            .map(|_| {
                let value = |w: &u32| match rng.below(4) {
                    0 => mask(*w) - rng.below(2) as u128,
                    1 => rng.below(2) as u128,
                    2 => (rng.next_u128() & mask(*w)) >> rng.below(*w as usize),
                    _ => rng.next_u128() & mask(*w),
                };
                leaves.iter().map(value).collect()
            })
            .collect();
        compare(&steps, &frames);
    }
}

#[test]
fn one_call_costs_a_bounded_number_of_nodes() {
    let mut p: Pool<u32> = Pool::rewriting();
    let mut chain = p.leaf(0, 32);
    for k in 1..100_000 {
        let c = p.leaf(k, 1);
        let v = p.constant(k.into(), 32);
        chain = p.ite(c, v, chain);
    }
    let before = p.len();
    let k = p.constant(7, 32);
    p.eq(chain, k);
    assert!(p.len() - before < 1000);
    let before = p.len();
    p.extract(chain, 3, 8);
    assert!(p.len() - before < 1000);
}

/// Leaves for the tests of single rules.
struct Fixture {
    p: Pool<u32>,
    /// Of width 1.
    c: ExprId,
    d: ExprId,
    /// Of width 8.
    x: ExprId,
    y: ExprId,
}

impl Fixture {
    fn new() -> Self {
        let mut p = Pool::rewriting();
        let (c, d) = (p.leaf(0, 1), p.leaf(1, 1));
        let (x, y) = (p.leaf(2, 8), p.leaf(3, 8));
        Self { p, c, d, x, y }
    }

    fn k(&mut self, v: u128) -> ExprId {
        self.p.constant(v, 8)
    }

    fn op(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        self.p.op2(op, a, b)
    }
}

#[test]
fn bits_and_choices() {
    let Fixture { mut p, c, d, x, y } = Fixture::new();
    let (nc, nd) = (p.not(c), p.not(d));
    assert_eq!(p.and(c, d), p.and(d, c));
    let or = p.or(nc, d);
    assert_eq!(p.and(c, or), p.and(c, d));
    let and = p.and(c, d);
    let no = p.not(and);
    assert_eq!(p.and(c, no), p.and(c, nd));
    assert!({
        let e = p.and(nc, and);
        p.is_false(e)
    });
    let other = p.and(c, nd);
    assert_eq!(p.or(and, other), c);
    assert_eq!(p.ite(nc, x, y), p.ite(c, y, x));
    let inner = p.ite(d, x, y);
    assert_eq!(p.ite(c, x, inner), {
        let any = p.or(c, d);
        p.ite(any, x, y)
    });
    let inner = p.ite(c, y, x);
    assert_eq!(p.ite(c, x, inner), x);
    let e = p.eq(x, y);
    assert_eq!(p.ite(e, x, y), y);
    let (one, zero) = (p.constant(1, 32), p.constant(0, 32));
    let int = p.ite(c, one, zero);
    assert_eq!(p.node(int), Node::ZeroExtend(c));
    assert_eq!(p.is_nonzero(int), c);
    let (three, four) = (p.constant(3, 8), p.constant(4, 8));
    let (e3, e4) = (p.eq(x, three), p.eq(x, four));
    assert!({
        let e = p.and(e3, e4);
        p.is_false(e)
    });
    let n4 = p.not(e4);
    assert_eq!(p.and(e3, n4), e3);
}

#[test]
fn comparisons_with_constants() {
    let mut f = Fixture::new();
    let (three, five, k) = (f.k(3), f.k(5), f.k(200));
    let choice = f.p.ite(f.c, three, five);
    assert_eq!(f.p.eq(choice, three), f.c);
    assert_eq!(f.op(Op2::Ult, choice, five), f.c);
    assert!({
        let e = f.op(Op2::Ult, choice, k);
        f.p.is_true(e)
    });
    let wide = f.p.zero_extend(f.x, 32);
    let big = f.p.constant(256, 32);
    assert!({
        let e = f.op(Op2::Ult, wide, big);
        f.p.is_true(e)
    });
    assert!({
        let e = f.op(Op2::Slt, wide, big);
        f.p.is_true(e)
    });
    assert!({
        let e = f.p.eq(wide, big);
        f.p.is_false(e)
    });
    let wide5 = f.p.constant(5, 32);
    assert_eq!(f.p.eq(wide, wide5), f.p.eq(f.x, five));
    assert_eq!(f.op(Op2::Slt, wide, wide5), f.op(Op2::Ult, f.x, five));
    let sum = f.op(Op2::Add, f.x, three);
    let two = f.k(2);
    assert_eq!(f.p.eq(sum, five), f.p.eq(f.x, two));
    let zero = f.k(0);
    let negative = f.op(Op2::Slt, f.x, zero);
    assert_eq!(f.p.node(negative), Node::Extract(f.x, 7));
}

#[test]
fn addresses_become_indices() {
    let mut f = Fixture::new();
    let i = f.p.zero_extend(f.x, 64);
    for (size, base) in [(4u128, 0x1000u128), (12, 0x1008), (1, 0x20), (24, 0xffff_0000)] {
        let (s, b) = (f.p.constant(size, 64), f.p.constant(base, 64));
        let offset = f.op(Op2::Mul, i, s);
        let address = f.op(Op2::Add, offset, b);
        for k in [0, 1, 17, 255] {
            let at = f.p.constant(base + k * size, 64);
            let index = f.k(k);
            assert_eq!(f.p.eq(address, at), f.p.eq(f.x, index), "{size} {base} {k}");
            let end = f.p.constant(base + (k + 1) * size, 64);
            let inside = f.op(Op2::Ult, address, end);
            if size.is_power_of_two() && k < 255 {
                let next = f.k(k + 1);
                assert_eq!(inside, f.op(Op2::Ult, f.x, next), "{size} {base} {k}");
            }
        }
        let outside = f.p.constant(base + 256 * size, 64);
        assert!({
            let e = f.p.eq(address, outside);
            f.p.is_false(e)
        });
        if size > 1 {
            let between = f.p.constant(base + size + 1, 64);
            assert!({
                let e = f.p.eq(address, between);
                f.p.is_false(e)
            });
        }
    }
}

#[test]
fn bytes_of_words() {
    let mut f = Fixture::new();
    let word = f.p.leaf(9, 32);
    let bytes: Vec<_> = (0..4).map(|k| f.p.extract(word, 8 * k, 8)).collect();
    let joined = bytes.iter().copied().reduce(|low, high| f.p.concat(high, low)).unwrap();
    assert_eq!(joined, word);
    // The same with shifts and or.
    let mut sum = f.p.constant(0, 32);
    for (k, &byte) in bytes.iter().enumerate() {
        let wide = f.p.zero_extend(byte, 32);
        let by = f.p.constant(8 * k as u128, 32);
        let shifted = f.op(Op2::Shl, wide, by);
        sum = f.p.or(sum, shifted);
    }
    assert_eq!(sum, word);
    let changed = {
        let high = f.p.extract(word, 16, 16);
        let low = f.p.concat(f.x, bytes[0]);
        f.p.concat(high, low)
    };
    assert_eq!(f.p.extract(changed, 8, 8), f.x);
    assert_eq!(f.p.extract(changed, 16, 8), bytes[2]);
    // A store of an int's sum to a char needs a sum of chars only.
    let (wide, one) = (f.p.zero_extend(f.x, 32), f.p.constant(1, 32));
    let sum = f.op(Op2::Add, wide, one);
    let one = f.k(1);
    assert_eq!(f.p.extract(sum, 0, 8), f.op(Op2::Add, f.x, one));
}

#[test]
fn sums_and_products() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    let (one, two, m) = (f.k(1), f.k(2), f.k(255));
    let up = f.op(Op2::Add, x, one);
    assert_eq!(f.op(Op2::Sub, up, one), x);
    assert_eq!(f.op(Op2::Add, up, m), x);
    let sum = f.op(Op2::Add, up, y);
    assert_eq!(f.op(Op2::Sub, sum, y), up);
    assert_eq!(f.op(Op2::Sub, sum, x), f.op(Op2::Add, y, one));
    let product = f.op(Op2::Mul, up, two);
    let doubled = f.op(Op2::Mul, x, two);
    assert_eq!(product, f.op(Op2::Add, doubled, two));
    let half = f.op(Op2::UDiv, doubled, two);
    let low = f.p.extract(x, 0, 7);
    assert_eq!(half, f.p.zero_extend(low, 8));
    assert_eq!(f.op(Op2::Mul, x, one), x);
    assert_eq!(bits(128), 8);
}
