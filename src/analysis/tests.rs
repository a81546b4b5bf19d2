//! The abstract domain against concrete values; ranges, liveness and sharing on small programs.

use super::domain::AbsVal;
use super::*;
use crate::base::{Budget, Rng};
use crate::expr::{Op1, Op2, mask, sign_extend};
use crate::program::build::ProgramBuilder;
use crate::program::{LocId, Program};

const OPS: [Op2; 18] = [
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

/// A random abstract value and the constants that it must describe. Widths of 6 and more make
/// both sets and hulls.
fn random_value(rng: &mut Rng, w: u32) -> (AbsVal, Vec<u128>) {
    let most = if rng.one_in(2) { 3 } else { 40 };
    let count = 1 + rng.below(most);
    let base = rng.next_u128() & mask(w);
    let step = *rng.pick(&[1u128, 2, 4, 3]);
    let values: Vec<u128> =
        (0..count as u128).map(|k| base.wrapping_add(k * step) & mask(w)).collect();
    let joined = values
        .iter()
        .map(|&v| AbsVal::constant(v, w))
        .reduce(|a, b| a.join(&b))
        .expect("at least one value");
    (joined, values)
}

#[test]
fn operators_describe_all_results() {
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let w = *rng.pick(&[1, 5, 6, 7, 8]);
        let (a, xs) = random_value(&mut rng, w);
        let (b, ys) = random_value(&mut rng, w);
        for op in OPS {
            let r = AbsVal::op2(op, &a, &b);
            for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                let v = op.apply(x, y, w);
                assert!(r.may_be(v), "seed {seed}: {op:?} {x} {y} = {v} is not in {r:?}");
            }
        }
        for op in [Op1::Not, Op1::Neg] {
            let r = AbsVal::op1(op, &a);
            assert!(xs.iter().all(|&x| r.may_be(op.apply(x, w))), "seed {seed}: {op:?}");
        }
        let joined = a.join(&b);
        assert!(xs.iter().chain(&ys).all(|&v| joined.may_be(v)), "seed {seed}: join");
        let widened = joined.widen(&a, &[0, 1, 7, 100]);
        assert!(xs.iter().chain(&ys).all(|&v| widened.may_be(v)), "seed {seed}: widen");
        let both = AbsVal::concat(&a, &b);
        for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
            assert!(both.may_be((x << w) | y), "seed {seed}: concat");
        }
        for signed in [false, true] {
            let r = AbsVal::extend(&a, w + 3, signed);
            for &x in &xs {
                let v = if signed { sign_extend(x, w) as u128 & mask(w + 3) } else { x };
                assert!(r.may_be(v), "seed {seed}: extend {signed}");
            }
        }
        for lo in 0..w {
            let r = AbsVal::extract(&a, lo, w - lo);
            assert!(xs.iter().all(|&x| r.may_be((x >> lo) & mask(w - lo))), "seed {seed}: extract");
        }
    }
}

#[test]
fn refinement_keeps_what_satisfies_it() {
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let w = *rng.pick(&[1, 5, 6, 7, 8]);
        let (a, xs) = random_value(&mut rng, w);
        let (b, ys) = random_value(&mut rng, w);
        for op in [Op2::Eq, Op2::Ult, Op2::Ule, Op2::Slt, Op2::Sle] {
            for truth in [false, true] {
                for flipped in [false, true] {
                    let r = a.refine(op, &b, flipped, truth);
                    for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                        let (p, q) = if flipped { (y, x) } else { (x, y) };
                        if (op.apply(p, q, w) == 1) == truth {
                            let kept = r.as_ref().is_some_and(|r| r.may_be(x));
                            assert!(kept, "seed {seed}: {op:?} {truth} {flipped} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn storage_holds_all_values() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let w = *rng.pick(&[1, 5, 8, 32, 128]);
        let (a, xs) = random_value(&mut rng, w);
        let (bits, signed) = a.storage();
        for &x in &xs {
            let low = x & mask(bits);
            let back = if signed { sign_extend(low, bits) as u128 & mask(w) } else { low };
            assert_eq!(back, x, "seed {seed}: {bits} bits, signed {signed}");
        }
    }
    let small = AbsVal::constant(mask(32), 32).join(&AbsVal::constant(3, 32));
    assert_eq!(small.storage(), (3, true));
    assert_eq!(AbsVal::constant(5, 32).join(&AbsVal::constant(0, 32)).storage(), (3, false));
}

/// `for (i = 0; i < 5; i++) x = i;` in main, `x` global.
fn counting_loop() -> (Program, LocId, LocId) {
    let mut b = ProgramBuilder::new(8);
    let x = b.shared("x", 32, 0);
    let main = b.thread("main");
    let i = b.local(main, "main.i", 32, 0);
    let zero = b.value_for(i, 0);
    b.set(main, i, zero);
    let head = b.at(main);
    let five = b.value_for(i, 5);
    let now = b.var(i);
    let below = b.pool().op2(Op2::Slt, now, five);
    let (inside, after) = b.branch(main, below);
    b.go(main, inside);
    b.set(main, x, now);
    let next = b.plus(i, 1);
    b.set(main, i, next);
    b.jump(main, head);
    b.go(main, after);
    b.end(main);
    (b.finish(), head, after)
}

fn var(program: &Program, name: &str) -> crate::program::VarId {
    let found = program.vars.iter_enumerated().find(|(_, v)| v.name == name);
    found.expect("the program has it").0
}

#[test]
fn loops_with_constant_bounds_have_exact_ranges() {
    let (program, head, after) = counting_loop();
    let main = crate::base::Id::new(0);
    let observed = [var(&program, "x")];
    let facts = Facts::new(&program, &observed, &[], &Budget::unlimited()).expect("no limit");
    let i = var(&program, "main.i");
    let at_head = facts.ranges.value(&program, main, head, i);
    assert_eq!(at_head.values(), Some(&[0, 1, 2, 3, 4, 5][..]));
    assert_eq!(facts.ranges.shared(observed[0]).bounds(), (0, 4));
    assert!(facts.live[main].is_live(head, i));
    assert!(!facts.live[main].is_live(after, i));
    assert_eq!(facts.sharing(observed[0]), Sharing::Shared, "observed variables are shared");
}

#[test]
fn what_nobody_asks_for_is_sliced_away() {
    let (program, ..) = counting_loop();
    let facts = Facts::new(&program, &[], &[], &Budget::unlimited()).expect("no limit");
    assert!(!facts.slice.has(var(&program, "x")));
    assert!(facts.slice.has(var(&program, "main.i")), "guards stay");
}
