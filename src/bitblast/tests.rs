use super::*;
use crate::aig::{Aig, Lit, Named, Node as AigNode, Reset, compact};
use crate::base::{Budget, Id, Rng};
use crate::expr::{Op1, Op2, Pool, mask};
use crate::ts::{Simulator, TransitionSystem, TsExpr, TsNamed};

/// Values of all nodes of the graph in one frame.
fn evaluate(aig: &Aig, inputs: &[bool], latches: &[bool]) -> Vec<bool> {
    let mut values: Vec<bool> = vec![];
    for node in aig.nodes() {
        let of = |l: Lit| values[l.var().index()] != l.is_negated();
        let v = match *node {
            AigNode::False => false,
            AigNode::Input(k) => inputs[k as usize],
            AigNode::Latch(k) => latches[k as usize],
            AigNode::And(a, b) => of(a) && of(b),
        };
        values.push(v);
    }
    values
}

fn lit_value(values: &[bool], l: Lit) -> bool {
    values[l.var().index()] != l.is_negated()
}

fn word_value(values: &[bool], word: &[Lit]) -> u128 {
    word.iter().rev().fold(0, |v, &l| v << 1 | u128::from(lit_value(values, l)))
}

/// A system without rewriting, so that every operator reaches the circuits.
fn raw_system() -> TransitionSystem {
    TransitionSystem { pool: Pool::raw(), ..TransitionSystem::new() }
}

/// Compares the circuits of `exprs` with the expressions' values for the input values given.
fn check(ts: &TransitionSystem, exprs: &[TsExpr], frames: &[Vec<u128>]) {
    let budget = Budget::unlimited();
    let mut blaster = Bitblaster::new(ts);
    let words: Vec<_> = exprs.iter().map(|&e| blaster.lits(e, &budget).unwrap()).collect();
    let (aig, map) = blaster.finish();
    let mut simulator = Simulator::new(ts, |_| 0);
    for frame in frames {
        simulator.evaluate(|i| frame[i.index()]);
        let values = evaluate(&aig, &map.input_frame(|i| frame[i.index()]), &[]);
        for (&e, word) in exprs.iter().zip(&words) {
            let (expected, got) = (simulator.value(e), word_value(&values, word));
            assert_eq!(expected, got, "{:?} of {frame:?}", ts.pool.node(e));
        }
    }
}

/// All operators on two inputs of width `w`, and on an input and each of `constants`.
fn all_operators(w: u32, constants: &[u128]) -> (TransitionSystem, Vec<TsExpr>) {
    let mut ts = raw_system();
    let (_, a) = ts.add_input("a", w);
    let (_, b) = ts.add_input("b", w);
    let p = &mut ts.pool;
    let mut exprs = vec![p.op1(Op1::Not, a), p.op1(Op1::Neg, a)];
    for op in Op2::ALL {
        exprs.push(p.op2(op, a, b));
        exprs.push(p.op2(op, a, a));
        for &k in constants {
            let k = p.constant(k, w);
            exprs.push(p.op2(op, a, k));
            exprs.push(p.op2(op, k, a));
        }
    }
    let c = p.op2(Op2::Ult, a, b);
    let one = p.constant(1, w);
    exprs.extend([p.ite(c, a, b), p.ite(c, one, b), p.ite(c, a, one)]);
    if 2 * w <= crate::expr::MAX_WIDTH {
        exprs.extend([p.concat(a, b), p.zero_extend(a, 2 * w), p.sign_extend(a, 2 * w)]);
    }
    for lo in 0..w.min(4) {
        exprs.push(p.extract(a, lo, (w - lo).min(3)));
    }
    (ts, exprs)
}

#[test]
fn every_operator_exhaustively_up_to_width_4() {
    for w in 1..=4 {
        let all: Vec<u128> = (0..=mask(w)).collect();
        let (ts, exprs) = all_operators(w, &all);
        let frames: Vec<_> =
            all.iter().flat_map(|&a| all.iter().map(move |&b| vec![a, b])).collect();
        check(&ts, &exprs, &frames);
    }
}

/// A value of width `w` that is often special.
fn value(rng: &mut Rng, w: u32) -> u128 {
    let v = match rng.below(6) {
        0 => rng.below(3) as u128,
        1 => (rng.below(3) as u128).wrapping_neg(),
        2 => (1 << (w - 1)) + rng.below(3) as u128 - 1,
        3 => rng.below(w as usize + 2) as u128,
        4 => rng.next_u128() >> rng.below(128),
        _ => rng.next_u128(),
    };
    v & mask(w)
}

#[test]
fn every_operator_at_large_widths() {
    let seed = 1;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    for w in [5, 7, 8, 13, 16, 31, 32, 33, 64, 65, 127, 128] {
        let constants: Vec<u128> = (0..3).map(|_| value(&mut rng, w)).collect();
        let (ts, exprs) = all_operators(w, &constants);
        let frames: Vec<_> = (0..if w > 32 { 8 } else { 40 })
            .map(|_| vec![value(&mut rng, w), value(&mut rng, w)])
            .collect();
        check(&ts, &exprs, &frames);
    }
}

/// Size of the circuit of one expression over inputs of width 8.
fn ands(build: impl FnOnce(&mut TransitionSystem, TsExpr, TsExpr) -> TsExpr) -> usize {
    let mut ts = raw_system();
    let (_, a) = ts.add_input("a", 8);
    let (_, b) = ts.add_input("b", 8);
    let e = build(&mut ts, a, b);
    let mut blaster = Bitblaster::new(&ts);
    let outputs = blaster.lits(e, &Budget::unlimited()).unwrap();
    let (mut aig, _) = blaster.finish();
    aig.outputs.extend(outputs.into_iter().map(|value| Named { value, name: None }));
    compact(&aig).0.num_ands()
}

#[test]
fn circuits_are_compact() {
    // The first bit of a sum has no carry in, the last one no carry out.
    assert_eq!(ands(|ts, a, b| ts.pool.op2(Op2::Add, a, b)), 3 + 6 * 7 + 6);
    assert_eq!(ands(|ts, a, b| ts.pool.op2(Op2::Ult, a, b)), 1 + 4 * 7);
    assert_eq!(ands(|ts, a, b| ts.pool.op2(Op2::Eq, a, b)), 3 * 8 + 7);
    let choice = |f: fn(&mut TransitionSystem, TsExpr, TsExpr, TsExpr) -> TsExpr| {
        ands(|ts, a, b| {
            let c = ts.pool.extract(a, 0, 1);
            f(ts, c, a, b)
        })
    };
    assert_eq!(choice(|ts, c, a, b| ts.pool.ite(c, a, b)), 7 * 3 + 1);
    let with_constant = choice(|ts, c, _, b| {
        let k = ts.pool.constant(0x0f, 8);
        ts.pool.ite(c, k, b)
    });
    assert_eq!(with_constant, 8);
    let by_constant = |op: Op2, k: u128| {
        ands(|ts, a, _| {
            let k = ts.pool.constant(k, 8);
            ts.pool.op2(op, a, k)
        })
    };
    assert_eq!(by_constant(Op2::Eq, 77), 7);
    assert_eq!(by_constant(Op2::Mul, 16), 0);
    assert_eq!(by_constant(Op2::Shl, 3), 0);
    assert_eq!(by_constant(Op2::UDiv, 8), 0);
    assert_eq!(by_constant(Op2::URem, 8), 0);
    assert!(by_constant(Op2::Add, 1) <= 3 * 7);
    assert!(by_constant(Op2::Mul, 15) <= 3 * 8 + 7 * 4, "two additions");
}

#[test]
fn a_chain_of_200_000_expressions() {
    let mut ts = raw_system();
    let (_, a) = ts.add_input("a", 1);
    let (_, b) = ts.add_input("b", 1);
    let mut e = a;
    for k in 0..200_000 {
        e = ts.pool.op2(if k % 2 == 0 { Op2::Xor } else { Op2::And }, e, b);
    }
    check(&ts, &[e], &[vec![0, 1], vec![1, 1]]);
}

#[test]
fn an_exhausted_budget_stops() {
    let mut ts = raw_system();
    let (_, a) = ts.add_input("a", 1);
    let e = (0..10_000).fold(a, |e, _| ts.pool.not(e));
    ts.bads.push(TsNamed { name: "bad".into(), value: e });
    let budget = Budget::unlimited();
    budget.cancel().cancel();
    assert!(bitblast(&ts, &budget).is_err());
}

#[test]
fn names_and_properties() {
    let mut ts = TransitionSystem::new();
    let (_, a) = ts.add_input("a", 1);
    let (_, s) = ts.add_state("s", 2, Some(2));
    let (free, f) = ts.add_state("f", 1, None);
    ts.states[free].next = a;
    let bad = ts.pool.extract(s, 1, 1);
    let named = |name: &str, value| TsNamed { name: name.into(), value };
    ts.bads.push(named("bad", bad));
    ts.constraints.push(named("constraint", a));
    ts.fairness.push(named("fair", f));
    ts.justice.push(TsNamed { name: "justice".into(), value: vec![a, f] });
    ts.outputs.extend([named("s", s), named("a", a)]);
    let (aig, map) = bitblast(&ts, &Budget::unlimited()).unwrap();
    let names: Vec<_> = aig.latches().iter().map(|l| l.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["s[0]", "s[1]", "f"]);
    let resets: Vec<_> = aig.latches().iter().map(|l| l.reset).collect();
    assert_eq!(resets, [Reset::Zero, Reset::One, Reset::Free]);
    let latch = |k: usize| Lit::new(aig.latches()[k].var, false);
    let input = Lit::new(aig.inputs()[0].var, false);
    assert_eq!(aig.latches()[2].next, input);
    assert_eq!(aig.latches()[0].next, latch(0));
    assert_eq!((aig.bads[0].value, aig.bads[0].name.as_deref()), (latch(1), Some("bad")));
    assert_eq!(aig.constraints[0].value, input);
    assert_eq!(aig.fairness[0].value, latch(2));
    assert_eq!(aig.justice[0].value, [input, latch(2)]);
    let outputs: Vec<_> =
        aig.outputs.iter().map(|o| (o.name.as_deref().unwrap(), o.value)).collect();
    assert_eq!(outputs, [("s[0]", latch(0)), ("s[1]", latch(1)), ("a", input)]);
    assert_eq!(map.state_positions(free), 2..3);
    assert_eq!(map.state_value(free, &[false, false, true]), 1);
}

/// A system with random inputs, states and next states over all operators.
fn random_system(rng: &mut Rng) -> TransitionSystem {
    let mut ts = TransitionSystem::new();
    let mut exprs = vec![];
    for k in 0..1 + rng.below(3) {
        exprs.push(ts.add_input(format!("i{k}"), 1 + rng.below(6) as u32).1);
    }
    let states: Vec<_> = (0..1 + rng.below(4))
        .map(|k| {
            let w = 1 + rng.below(6) as u32;
            let init = (!rng.one_in(3)).then(|| value(rng, w));
            ts.add_state(format!("s{k}"), w, init)
        })
        .collect();
    exprs.extend(states.iter().map(|s| s.1));
    for _ in 0..40 {
        let (a, b, c) = (*rng.pick(&exprs), *rng.pick(&exprs), *rng.pick(&exprs));
        let p = &mut ts.pool;
        let w = p.width(a);
        let b = p.resize(b, w, rng.one_in(2));
        let c = p.resize(c, 1, false);
        let e = match rng.below(8) {
            0 => p.not(a),
            1 => p.ite(c, a, b),
            2 if w < 6 => p.concat(a, c),
            3 => p.extract(a, w / 2, w - w / 2),
            4 => p.constant(rng.next_u128(), w),
            _ => p.op2(*rng.pick(&Op2::ALL), a, b),
        };
        exprs.push(e);
    }
    for (id, s) in states {
        let next = *rng.pick(&exprs);
        ts.states[id].next = ts.pool.resize(next, ts.pool.width(s), false);
    }
    for k in 0..3 {
        let value = *rng.pick(&exprs);
        ts.outputs.push(TsNamed { name: format!("o{k}"), value });
        let value = ts.pool.resize(value, 1, false);
        ts.bads.push(TsNamed { name: format!("b{k}"), value });
    }
    ts
}

#[test]
fn runs_of_random_systems_agree() {
    for seed in 0..300 {
        println!("seed {seed}");
        let mut rng = Rng::new(seed);
        let ts = random_system(&mut rng);
        let (aig, map) = bitblast(&ts, &Budget::unlimited()).unwrap();
        let mut initial = rng.clone();
        let mut simulator = Simulator::new(&ts, |s| initial.next_u128() & mask(ts.states[s].width));
        let mut latches = map.state_frame(|s| simulator.states()[s]);
        for (latch, &v) in aig.latches().iter().zip(&latches) {
            match latch.reset {
                Reset::Zero => assert!(!v),
                Reset::One => assert!(v),
                Reset::Free => {}
            }
        }
        for _ in 0..12 {
            let frame: Vec<u128> =
                ts.inputs.iter().map(|i| rng.next_u128() & mask(i.width)).collect();
            simulator.evaluate(|i| frame[i.index()]);
            let inputs = map.input_frame(|i| frame[i.index()]);
            for id in ts.inputs.ids() {
                assert_eq!(map.input_value(id, &inputs), frame[id.index()]);
            }
            let values = evaluate(&aig, &inputs, &latches);
            for (bad, named) in aig.bads.iter().zip(&ts.bads) {
                assert_eq!(lit_value(&values, bad.value), simulator.is_true(named.value));
            }
            let outputs: Vec<Lit> = aig.outputs.iter().map(|o| o.value).collect();
            let mut at = 0;
            for output in &ts.outputs {
                let w = ts.pool.width(output.value) as usize;
                let got = word_value(&values, &outputs[at..at + w]);
                assert_eq!(got, simulator.value(output.value));
                at += w;
            }
            latches = aig.latches().iter().map(|l| lit_value(&values, l.next)).collect();
            simulator.advance();
            for id in ts.states.ids() {
                assert_eq!(map.state_value(id, &latches), simulator.states()[id]);
            }
        }
    }
}
