//! Programs by hand, and random ones whose runs are all explored, with all values and with few.

use super::Ranks;
use crate::base::{Budget, Id, Rng};
use crate::expr::Op2;
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::explore::{ExploreOptions, Explorer};
use crate::program::{Leaf, Machine, ProgExpr, Program, SiteId, ThreadId, VarId, validate};

const WIDTH: u32 = 4;

fn ranks(program: &Program, observed: &[VarId]) -> Ranks {
    validate(program).unwrap();
    Ranks::new(program, observed, &Budget::unlimited()).unwrap()
}

/// Bits of the choices, in order.
fn widths(b: &mut ProgramBuilder, observed: &[VarId]) -> Vec<u32> {
    let program = b.program().clone();
    let narrow = ranks(&program, observed).apply(&program);
    validate(&narrow).unwrap();
    narrow.inputs.iter().map(|i| i.width).collect()
}

/// `main` with three variables of 16 bits, of which the first two are chosen, once.
fn chosen() -> (ProgramBuilder, ThreadId, [VarId; 3]) {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let vars = ["x", "y", "z"].map(|name| b.local(main, name, 16, 0));
    for v in &vars[..2] {
        choose(&mut b, main, *v);
    }
    (b, main, vars)
}

fn choose(b: &mut ProgramBuilder, t: ThreadId, v: VarId) {
    let width = b.program().vars[v].width;
    let name = format!("choice{}", b.program().inputs.len());
    let input = b.input(&name, width);
    let value = b.pool().leaf(Leaf::Input(input), width);
    b.set(t, v, value);
}

fn compare(b: &mut ProgramBuilder, op: Op2, x: VarId, y: VarId) -> ProgExpr {
    let (x, y) = (b.var(x), b.var(y));
    b.pool().op2(op, x, y)
}

#[test]
fn what_is_compared_needs_few_values() {
    for (op, bits) in [(Op2::Eq, 2), (Op2::Ult, 2), (Op2::Ule, 2), (Op2::Slt, 3), (Op2::Sle, 3)] {
        for (zero, bits) in [(true, bits), (false, 1)] {
            let (mut b, main, [x, y, z]) = chosen();
            let mut copy = b.var(x);
            if zero {
                let condition = compare(&mut b, op, x, z);
                let z = b.var(z);
                copy = b.pool().ite(condition, copy, z);
            }
            b.set(main, z, copy);
            let condition = compare(&mut b, op, z, y);
            b.assert(main, condition, "");
            b.end(main);
            assert_eq!(widths(&mut b, &[]), [bits, bits], "{op:?}, {zero}");
            assert_eq!(widths(&mut b, &[z]), [16, 16], "{op:?}, {zero}: observed");
        }
    }
}

/// Two choices, and what else may bring a 0 among them.
#[test]
fn zeros_count() {
    type Use = fn(&mut ProgramBuilder, ThreadId, [VarId; 3]);
    let uses: [(&str, Use, u32); 5] = [
        ("none", |_, _, _| (), 1),
        (
            "constant copied",
            |b, main, [x, y, _]| {
                let (condition, zero) = (compare(b, Op2::Ult, x, y), b.value_for(x, 0));
                let old = b.var(x);
                let value = b.pool().ite(condition, zero, old);
                b.set(main, x, value);
            },
            2,
        ),
        (
            "constant compared",
            |b, main, [x, _, _]| {
                let condition = b.has_value(x, 0);
                b.assert(main, condition, "");
            },
            2,
        ),
        (
            "shared, written first",
            |b, main, [x, _, _]| {
                let s = b.shared("s", 16, 0);
                let value = b.var(x);
                b.set(main, s, value);
                let value = b.var(s);
                b.set(main, x, value);
            },
            1,
        ),
        (
            "shared, read first",
            |b, main, [x, y, _]| {
                let s = b.shared("s", 16, 0);
                let condition = compare(b, Op2::Ult, x, y);
                let (first, old) = (b.var(s), b.var(y));
                let value = b.pool().ite(condition, first, old);
                b.set(main, y, value);
                let value = b.var(x);
                b.set(main, s, value);
            },
            2,
        ),
    ];
    for (name, used, bits) in uses {
        let (mut b, main, [x, y, z]) = chosen();
        used(&mut b, main, [x, y, z]);
        let condition = compare(&mut b, Op2::Ult, x, y);
        b.assert(main, condition, "");
        b.end(main);
        let widths = widths(&mut b, &[]);
        assert!(widths.contains(&bits) && !widths.contains(&16), "{name}: {widths:?}");
    }
}

#[test]
fn what_is_done_otherwise_needs_all() {
    type Use = fn(&mut ProgramBuilder, ThreadId, [VarId; 3]) -> ProgExpr;
    let uses: [(&str, Use); 7] = [
        ("sum", |b, _, [x, y, _]| {
            let (x, y) = (b.var(x), b.var(y));
            let sum = b.pool().op2(Op2::Add, x, y);
            b.pool().eq(sum, x)
        }),
        ("constant", |b, _, [x, y, _]| {
            let small = b.value_for(y, 5);
            let (x, y) = (b.var(x), b.var(y));
            let (p, q) = (b.pool().op2(Op2::Ult, x, small), b.pool().op2(Op2::Ult, y, small));
            b.pool().and(p, q)
        }),
        ("both orders", |b, _, [x, y, _]| {
            let (p, q) = (compare(b, Op2::Ult, x, y), compare(b, Op2::Slt, x, y));
            b.pool().or(p, q)
        }),
        ("bits", |b, _, [x, y, _]| {
            let (x, y) = (b.var(x), b.var(y));
            let (x, y) = (b.pool().extract(x, 0, 8), b.pool().extract(y, 0, 8));
            b.pool().eq(x, y)
        }),
        ("extended in two ways", |b, _, [x, y, _]| {
            let (x, y) = (b.var(x), b.var(y));
            let (x, y) = (b.pool().zero_extend(x, 32), b.pool().sign_extend(y, 32));
            b.pool().op2(Op2::Slt, x, y)
        }),
        ("other values", |b, main, [x, y, z]| {
            let five = b.value_for(z, 5);
            b.set(main, z, five);
            let (p, q) = (compare(b, Op2::Ult, x, z), compare(b, Op2::Ult, y, z));
            b.pool().or(p, q)
        }),
        ("chooses again", |b, main, [x, y, _]| {
            let (head, to) = (b.at(main), b.fresh(main));
            choose(b, main, y);
            let from = b.at(main);
            b.jump(main, head);
            b.add(main, from, to, EdgeSpec::new("leave"));
            b.go(main, to);
            compare(b, Op2::Ult, x, y)
        }),
    ];
    for (name, used) in uses {
        let (mut b, main, vars) = chosen();
        let condition = used(&mut b, main, vars);
        b.assert(main, condition, "");
        b.end(main);
        let widths = widths(&mut b, &[]);
        assert!(widths.iter().all(|&w| w == 16), "{name}: {widths:?}");
    }
}

#[test]
fn how_a_value_is_extended_says_how_it_is_ordered() {
    for (sign, op, bits) in
        [(false, Op2::Slt, 2), (false, Op2::Ult, 2), (true, Op2::Slt, 3), (true, Op2::Ult, 2)]
    {
        let (mut b, main, [x, y, z]) = chosen();
        let [x, y, z] = [x, y, z].map(|v| {
            let value = b.var(v);
            b.pool().resize(value, 32, sign)
        });
        let (first, second) = (b.pool().op2(op, x, y), b.pool().op2(op, y, z));
        let condition = b.pool().and(first, second);
        b.assert(main, condition, "");
        b.end(main);
        assert_eq!(widths(&mut b, &[]), [bits, bits], "{sign} {op:?}");
    }
}

/// An array of two elements of 16 bits: reached by index as a whole, or from the middle of one.
#[test]
fn elements_are_reached_as_a_whole() {
    for (scale, offset, bits) in [(2, 0, 2), (2, 1, 16), (1, 0, 16), (4, 2, 2)] {
        let (mut b, main, [x, y, z]) = chosen();
        let (object, _) = b.object("a", 0x1000, 4, &[(0, 16, 0), (2, 16, 0)]);
        let index = b.local(main, "i", 32, 0);
        let (base, index) = (b.pool().leaf(Leaf::Address(object), 32), b.var(index));
        let scale = b.pool().constant(scale, 32);
        let index = b.pool().op2(Op2::Mul, index, scale);
        let at = b.pool().op2(Op2::Add, base, index);
        let offset = b.pool().constant(offset, 32);
        let at = b.pool().op2(Op2::Add, at, offset);
        let mut store = EdgeSpec::new("a[i] = x");
        let d = store.deref(at, 2, Some(&[object]));
        let value = b.var(x);
        b.next(main, store.store(d, value));
        let mut load = EdgeSpec::new("z = a[i]");
        let d = load.deref(at, 2, Some(&[object]));
        let value = b.loaded(d, 2);
        b.next(main, load.set(z, value));
        let condition = compare(&mut b, Op2::Ult, z, y);
        b.assert(main, condition, "");
        b.end(main);
        assert_eq!(widths(&mut b, &[]), [bits, bits], "{bits} {scale:?}");
    }
}

#[test]
fn a_loop_that_main_must_run_through_is_counted() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let [x, most] = ["x", "most"].map(|name| b.local(main, name, 16, 0));
    let i = b.local(main, "i", 8, 0);
    let (head, end) = (b.at(main), b.fresh(main));
    choose(&mut b, main, x);
    let (greater, next) = (compare(&mut b, Op2::Ult, most, x), b.plus(i, 1));
    let (taken, old) = (b.var(x), b.var(most));
    let larger = b.pool().ite(greater, taken, old);
    b.set(main, most, larger);
    b.set(main, i, next);
    let (from, last) = (b.at(main), b.has_value(i, 5));
    let more = b.pool().not(last);
    b.add(main, from, head, EdgeSpec::new("more").guard(more));
    b.add(main, from, end, EdgeSpec::new("done").guard(last));
    b.go(main, end);
    let condition = compare(&mut b, Op2::Ule, x, most);
    b.assert(main, condition, "");
    b.end(main);
    // Values 0 to 5.
    assert_eq!(widths(&mut b, &[]), [3]);
}

/// A random program of two threads that mostly copy and compare.
fn random(rng: &mut Rng) -> Program {
    let mut b = ProgramBuilder::new(4);
    let threads = [b.thread("main"), b.thread("other")];
    let shared: Vec<VarId> = (0..2).map(|k| b.shared(&format!("s{k}"), WIDTH, 0)).collect();
    let locals = threads
        .map(|t| ["p", "q"].map(|name| b.local(t, &format!("{name}{}", t.index()), WIDTH, 0)));
    let orders = *rng.pick(&[&[Op2::Ult, Op2::Ule][..], &[Op2::Slt, Op2::Sle], &[Op2::Eq]]);
    let mixed = rng.one_in(6);
    let extended = *rng.pick(&[None, None, Some(false), Some(true)]);
    let mut choices = 2 + rng.below(2);
    let early = rng.one_in(2);
    // Whether no variable keeps its first value until it is read.
    let fresh = rng.one_in(2);
    for (k, &t) in threads.iter().enumerate() {
        if fresh {
            let first = locals[0][0];
            let (from, to) = match k {
                0 => (first, [locals[0][1], shared[0], shared[1]].to_vec()),
                _ => (shared[0], locals[1].to_vec()),
            };
            if k == 0 {
                choices -= 1;
                choose(&mut b, t, first);
            }
            for v in to {
                let value = b.var(from);
                b.set(t, v, value);
            }
        }
        if k == 0 && !early {
            b.create(t, threads[1]);
        }
        for _ in 0..3 + rng.below(4) {
            let [v, w] = [0, 1].map(|_| *rng.pick(&locals[k]));
            let s = *rng.pick(&shared);
            let mut op = *rng.pick(orders);
            if mixed && rng.one_in(3) {
                op = *rng.pick(&[Op2::Ult, Op2::Slt, Op2::Eq]);
            }
            let (mut x, mut y) = (b.var(v), b.var(w));
            if rng.one_in(8) {
                y = b.pool().constant(u128::from(rng.one_in(4)), WIDTH);
            }
            if let Some(sign) = extended {
                (x, y) = (b.pool().resize(x, 7, sign), b.pool().resize(y, 7, sign));
            }
            let condition = b.pool().op2(op, x, y);
            let (x, y) = (b.var(v), b.var(w));
            match rng.below(9) {
                0 | 1 if choices > 0 => {
                    choices -= 1;
                    choose(&mut b, t, v);
                }
                2 | 3 => drop(b.set(t, s, x)),
                4 | 5 => {
                    let value = b.var(s);
                    b.set(t, v, value);
                }
                6 => {
                    let value = b.pool().ite(condition, y, x);
                    b.set(t, v, value);
                }
                7 => {
                    let (yes, no) = b.branch(t, condition);
                    b.go(t, yes);
                    b.set(t, s, y);
                    b.jump(t, no);
                    b.go(t, no);
                }
                _ if rng.one_in(12) => {
                    let sum = b.plus(v, 1);
                    b.set(t, w, sum);
                }
                _ => {
                    b.assert(t, condition, "");
                }
            }
        }
        if k == 0 && early {
            b.create(t, threads[1]);
        }
        b.end(t);
    }
    b.finish()
}

/// The sites that some run violates.
fn violated(program: &Program) -> Vec<SiteId> {
    validate(program).unwrap();
    let machine = Machine::new(program);
    let options = ExploreOptions { local_merge: true, ..Default::default() };
    let found = Explorer::new(&machine, options).run(&Budget::unlimited()).unwrap();
    assert_eq!(found.incomplete, None);
    let mut sites: Vec<SiteId> = found.violated().map(|(site, _)| site).collect();
    sites.sort_unstable();
    sites
}

#[test]
fn no_violation_is_lost() {
    let count: u64 =
        std::env::var("LATCHWORK_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let (mut narrowed, mut bad, mut no_zero) = (0, 0, 0);
    for seed in 0..count {
        let program = random(&mut Rng::new(seed));
        let ranks = ranks(&program, &[]);
        if ranks.is_empty() {
            continue;
        }
        let (all, few) = (violated(&program), violated(&ranks.apply(&program)));
        assert_eq!(all, few, "seed {seed}: {ranks:?}");
        narrowed += 1;
        bad += u64::from(!all.is_empty());
        no_zero += u64::from(ranks.narrowed.values().any(|n| n.signed && n.bits == 1));
    }
    assert!(
        10 * narrowed > 2 * count && 10 * bad > count / 2 && 40 * no_zero > count,
        "{narrowed}, {bad}, {no_zero} of {count}"
    );
}
