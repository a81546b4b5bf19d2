//! Hand-computed programs, and the compiled tapes against a plain evaluation of the expressions.

use super::*;
use crate::base::{Id, Rng};
use crate::expr::{Op1, Op2, mask};
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::{
    InputId, Leaf, LocId, ObjId, ProgExpr, Program, Status, Target, ThreadId, VarId, validate,
};

fn no_input(_: InputId) -> u128 {
    panic!("no edge of this program reads an input")
}

/// Takes steps of these threads and returns the sites violated.
fn run(machine: &Machine<'_>, state: &mut State, threads: &[ThreadId]) -> Vec<StepInfo> {
    threads
        .iter()
        .map(|&t| machine.step(state, t, &mut no_input).expect("the thread can move"))
        .collect()
}

/// `main` creates a second thread; both add 1 to `x` by a load and a store, under a mutex or not.
fn two_increments(locked: bool) -> (Program, VarId, ThreadId, ThreadId) {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let (x, m) = (b.shared("x", 4, 0), b.mutex("m"));
    b.create(main, other);
    for t in [main, other] {
        let copy = b.local(t, &format!("copy{}", t.index()), 4, 0);
        if locked {
            b.lock(t, m);
        }
        let (load, sum) = (b.var(x), b.plus(copy, 1));
        b.set(t, copy, load);
        b.set(t, x, sum);
        if locked {
            b.unlock(t, m);
        }
    }
    b.join(main, other);
    b.end(other);
    b.end_process(main);
    let program = b.finish();
    validate(&program).unwrap();
    (program, x, main, other)
}

#[test]
fn an_update_can_be_lost_without_a_mutex() {
    let (program, x, main, other) = two_increments(false);
    let machine = Machine::new(&program);
    let mut state = machine.initial();
    // create, start; both load 0; both store 1; end, join.
    let order = [main, other, main, other, main, other, other, main];
    let steps = run(&machine, &mut state, &order);
    assert_eq!(state.value(x), 1);
    assert_eq!(steps[4].changes, vec![(x, 0, 1)]);
    // The second store of 1 shows, though it changes nothing.
    assert_eq!(steps[5].changes, vec![(x, 1, 1)]);
    assert_eq!(state.value(program.threads[other].status), Status::FREE);
}

#[test]
fn a_mutex_excludes() {
    let (program, x, main, other) = two_increments(true);
    let machine = Machine::new(&program);
    let mut state = machine.initial();
    run(&machine, &mut state, &[main, other, main]);
    let disabled = machine.step(&mut state, other, &mut no_input);
    assert_eq!(disabled, Err(StepError::Disabled(other)));
    run(&machine, &mut state, &[main, main, main]);
    // Join waits for the end of the other thread.
    assert_eq!(machine.enabled(&state, main), Ok(None));
    run(&machine, &mut state, &[other, other, other, other, other, main, main]);
    assert_eq!(state.value(x), 2);
    assert_eq!(machine.enabled(&state, main), Ok(None));
}

#[test]
fn an_atomic_section_shuts_others_out_and_stays_closed_after_a_stop() {
    let mut b = ProgramBuilder::new(4);
    let (main, other) = (b.thread("main"), b.thread("other"));
    let x = b.shared("x", 1, 0);
    b.create(main, other);
    b.atomic_begin(main);
    let one = b.value_for(x, 1);
    b.set(main, x, one);
    let zero = b.has_value(x, 0);
    let site = b.assert(main, zero, "x == 0");
    b.atomic_end(main);
    b.end_process(main);
    b.end(other);
    let program = b.finish();
    validate(&program).unwrap();

    let machine = Machine::new(&program);
    let mut state = machine.initial();
    run(&machine, &mut state, &[main]);
    assert!(machine.enabled(&state, other).unwrap().is_some());
    run(&machine, &mut state, &[main, main]);
    assert_eq!(machine.enabled(&state, other), Ok(None));
    assert!(machine.guarded(&state, other).unwrap().is_some());
    let last = run(&machine, &mut state, &[main]);
    assert_eq!(last[0].site, Some(site));
    for t in [main, other] {
        assert_eq!(machine.enabled(&state, t), Ok(None));
    }
}

#[test]
fn assignments_are_parallel() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (x, y) = (b.shared("x", 4, 1), b.shared("y", 4, 2));
    let (ex, ey) = (b.var(x), b.var(y));
    b.next(main, EdgeSpec::new("swap").set(x, ey).set(y, ex).atomic_access());
    b.end_process(main);
    let program = b.finish();
    validate(&program).unwrap();
    let machine = Machine::new(&program);
    let mut state = machine.initial();
    let steps = run(&machine, &mut state, &[main]);
    assert_eq!(steps[0].changes, vec![(x, 1, 2), (y, 2, 1)]);
}

#[test]
fn an_input_is_chosen_once_an_edge_and_must_fit() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (x, y, n) = (b.shared("x", 4, 0), b.shared("y", 4, 0), b.input("n", 4));
    let choice = b.program().input(n);
    let not = b.pool().not(choice);
    b.next(main, EdgeSpec::new("choose").set(x, choice).set(y, not).atomic_access());
    let program = b.finish();
    let machine = Machine::new(&program);
    let mut state = machine.initial();
    let error = machine.step(&mut state, main, &mut |_| 16);
    assert_eq!(error, Err(StepError::InputRange(n, 16)));
    assert_eq!(state, machine.initial());
    let mut asked = 0;
    machine
        .step(&mut state, main, &mut |_| {
            asked += 1;
            asked
        })
        .unwrap();
    assert_eq!((asked, state.value(x), state.value(y)), (1, 1, 14));
}

/// An object at 100 with leaves of bytes 0, 1..5 (little-endian 0x44332211), 6..8 and padding at
/// 5 and 8, next to another one of 4 bytes at 110; loads and stores at chosen addresses.
struct Bytes {
    program: Program,
    objects: [ObjId; 2],
    leaves: Vec<VarId>,
    result: VarId,
    valid: VarId,
}

/// A program whose first edge loads (or stores 0xa8a7a6…a1) `bytes` bytes at `address`.
fn access(address: u64, bytes: u32, store: bool, candidates: Option<usize>, alive: bool) -> Bytes {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (a, mut leaves) =
        b.object("a", 100, 9, &[(0, 8, 0x5a), (1, 32, 0x4433_2211), (6, 16, 0x7766)]);
    let (c, more) = b.object("c", 110, 4, &[(0, 32, 0xddcc_bbaa)]);
    leaves.extend(more);
    b.lifetime(a, alive);
    let result = b.local(main, "result", 8 * bytes, 1);
    let valid = b.local(main, "valid", 1, 0);
    let objects = [a, c];
    let list = candidates.map(|k| &objects[k..=k]);
    let mut spec = EdgeSpec::new("access");
    let address = b.pool().constant(u128::from(address), 32);
    let d = spec.deref(address, bytes, list);
    let is_valid = b.valid(d);
    spec = spec.set(valid, is_valid).atomic_access();
    if store {
        let value = b.pool().constant(0xa8a7_a6a5_a4a3_a2a1, 8 * bytes);
        spec = spec.store(d, value);
    } else {
        let loaded = b.loaded(d, bytes);
        spec = spec.set(result, loaded);
    }
    b.next(main, spec);
    b.end_process(main);
    let program = b.finish();
    validate(&program).unwrap();
    Bytes { program, objects, leaves, result, valid }
}

/// The value loaded, if the access is valid.
fn load(address: u64, bytes: u32, candidates: Option<usize>, alive: bool) -> Option<u128> {
    let b = access(address, bytes, false, candidates, alive);
    let machine = Machine::new(&b.program);
    let mut state = machine.initial();
    run(&machine, &mut state, &[ThreadId::new(0)]);
    let value = state.value(b.result);
    if state.value(b.valid) == 1 {
        return Some(value);
    }
    assert_eq!(value, 0, "an invalid dereference loads 0");
    None
}

/// The leaves after a store.
fn store(address: u64, bytes: u32, candidates: Option<usize>) -> Vec<u128> {
    let b = access(address, bytes, true, candidates, true);
    let machine = Machine::new(&b.program);
    let mut state = machine.initial();
    run(&machine, &mut state, &[ThreadId::new(0)]);
    b.leaves.iter().map(|&v| state.value(v)).collect()
}

#[test]
fn loads_are_byte_exact() {
    assert_eq!(load(100, 1, None, true), Some(0x5a));
    assert_eq!(load(101, 4, None, true), Some(0x4433_2211));
    assert_eq!(load(102, 2, None, true), Some(0x3322));
    // Over two leaves; over padding at byte 5.
    assert_eq!(load(100, 4, None, true), Some(0x3322_115a));
    assert_eq!(load(103, 4, None, true), Some(0x6600_4433));
    assert_eq!(load(105, 1, None, true), Some(0));
    assert_eq!(load(100, 9, None, true), Some(0x7766_0044_3322_115a));
    assert_eq!(load(110, 4, None, true), Some(0xddcc_bbaa));
    // Outside of objects, over the end, address 0, largest address.
    for (address, bytes) in [(99, 1), (109, 1), (108, 2), (111, 4), (114, 1), (0, 1)] {
        assert_eq!(load(address, bytes, None, true), None, "{bytes} bytes at {address}");
    }
    assert_eq!(load(u64::from(u32::MAX), 1, None, true), None);
    // Candidates and lifetimes.
    assert_eq!(load(101, 1, Some(0), true), Some(0x11));
    assert_eq!(load(101, 1, Some(1), true), None);
    assert_eq!(load(110, 1, Some(1), true), Some(0xaa));
    assert_eq!(load(101, 1, None, false), None);
    assert_eq!(load(110, 1, None, false), Some(0xaa));
}

#[test]
fn stores_are_byte_exact() {
    let old = vec![0x5a, 0x4433_2211, 0x7766, 0xddcc_bbaa];
    assert_eq!(store(101, 4, None), vec![0x5a, 0xa4a3_a2a1, 0x7766, 0xddcc_bbaa]);
    assert_eq!(store(102, 2, None), vec![0x5a, 0x44a2_a111, 0x7766, 0xddcc_bbaa]);
    assert_eq!(store(100, 2, None), vec![0xa1, 0x4433_22a2, 0x7766, 0xddcc_bbaa]);
    // Byte 5 is padding, byte 8 too.
    assert_eq!(store(104, 3, None), vec![0x5a, 0xa133_2211, 0x77a3, 0xddcc_bbaa]);
    assert_eq!(store(107, 2, None), vec![0x5a, 0x4433_2211, 0xa166, 0xddcc_bbaa]);
    assert_eq!(store(105, 1, None), old);
    assert_eq!(store(108, 2, None), old, "invalid");
    assert_eq!(store(101, 4, Some(1)), old, "no candidate");
    assert_eq!(access(110, 1, false, None, true).objects.len(), 2);
}

#[test]
fn writing_a_leaf_twice_is_an_internal_error() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let (_, leaves) = b.object("a", 100, 4, &[(0, 32, 0)]);
    let mut spec = EdgeSpec::new("twice");
    let address = b.pool().constant(101, 32);
    let d = spec.deref(address, 1, None);
    let (byte, word) = (b.pool().constant(1, 8), b.value_for(leaves[0], 2));
    b.next(main, spec.store(d, byte).set(leaves[0], word).atomic_access());
    b.end_process(main);
    let program = b.finish();
    validate(&program).unwrap();
    let machine = Machine::new(&program);
    let mut state = machine.initial();
    let error = machine.step(&mut state, main, &mut no_input).unwrap_err();
    assert!(matches!(error, StepError::Internal(InternalError::TwoWrites { .. })), "{error}");
    assert_eq!(state, machine.initial());
}

#[test]
fn guards_that_overlap_are_an_internal_error() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let from = b.at(main);
    b.next(main, EdgeSpec::new("one"));
    b.go(main, from);
    b.next(main, EdgeSpec::new("two"));
    let program = b.finish();
    let machine = Machine::new(&program);
    let error = machine.enabled(&machine.initial(), main).unwrap_err();
    assert!(matches!(error, InternalError::TwoEdges { .. }));
}

/// A random expression over these leaves.
fn expression(
    b: &mut ProgramBuilder,
    rng: &mut Rng,
    leaves: &[ProgExpr],
    depth: usize,
) -> ProgExpr {
    const OPS: [Op2; 19] = [
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
        Op2::Add,
    ];
    if depth == 0 {
        let width = 1 + rng.below(40) as u32;
        let value = rng.next_u128();
        return if rng.one_in(4) { b.pool().constant(value, width) } else { *rng.pick(leaves) };
    }
    let x = expression(b, rng, leaves, depth - 1);
    let y = expression(b, rng, leaves, depth - 1);
    let (w, signed) = (b.pool().width(x), rng.one_in(2));
    match rng.below(8) {
        0 => b.pool().op1(if signed { Op1::Not } else { Op1::Neg }, x),
        1 => {
            let c = expression(b, rng, leaves, depth - 1);
            let c = b.pool().is_nonzero(c);
            let y = b.pool().resize(y, w, signed);
            b.pool().ite(c, x, y)
        }
        2 if w + b.pool().width(y) <= 128 => b.pool().concat(x, y),
        3 => {
            let lo = rng.below(w as usize) as u32;
            b.pool().extract(x, lo, 1 + rng.below((w - lo) as usize) as u32)
        }
        4 => b.pool().resize(x, 1 + rng.below(128) as u32, signed),
        _ => {
            let y = b.pool().resize(y, w, signed);
            b.pool().op2(*rng.pick(&OPS), x, y)
        }
    }
}

/// The bytes of the objects of a state, and whether each is part of an object that is alive.
fn byte_at(program: &Program, state: &State, address: u128) -> Option<u8> {
    let object = program
        .objects
        .iter()
        .find(|o| (u128::from(o.address)..u128::from(o.address + o.size)).contains(&address))?;
    let offset = (address - u128::from(object.address)) as u64;
    let mut byte = 0;
    for &(start, v) in &object.leaves {
        let bytes = u64::from(program.vars[v].width / 8);
        if (start..start + bytes).contains(&offset) {
            byte = (state.value(v) >> (8 * (offset - start))) as u8;
        }
    }
    Some(byte)
}

/// The values that the assignments of `main`'s only edge get, by plain evaluation byte by byte.
/// Objects do not touch, so a range whose ends and middle are in objects is in one.
fn naive(program: &Program, state: &State, input: u128) -> Vec<u128> {
    let edge = &program.threads[ThreadId::new(0)].edges.as_slice()[0];
    let simple = |leaf: Leaf| match leaf {
        Leaf::Var(v) => state.value(v),
        Leaf::Address(o) => u128::from(program.objects[o].address),
        Leaf::Input(_) => input,
        Leaf::Loaded(_) | Leaf::Valid(_) => panic!("nested dereference"),
    };
    let bytes_of = |d| {
        let addr = program.pool.eval(edge.derefs[d].addr, &mut { simple });
        let list = (0..u128::from(edge.derefs[d].bytes)).map(|k| byte_at(program, state, addr + k));
        list.collect::<Option<Vec<u8>>>()
    };
    let mut leaf = |leaf: Leaf| match leaf {
        Leaf::Valid(d) => u128::from(bytes_of(d).is_some()),
        Leaf::Loaded(d) => {
            let bytes = bytes_of(d).unwrap_or_default();
            bytes.iter().rev().fold(0, |sum, &b| (sum << 8) | u128::from(b))
        }
        other => simple(other),
    };
    edge.assigns.iter().map(|a| program.pool.eval(a.value, &mut leaf)).collect()
}

#[test]
fn tapes_agree_with_plain_evaluation() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let mut b = ProgramBuilder::new(4);
        let main = b.thread("main");
        let (object, cells) = b.object("a", 8, 9, &[(0, 32, 0), (4, 16, 0), (7, 8, 0)]);
        b.object("c", 20, 4, &[(1, 24, 0x0012_3456)]);
        for &cell in &cells {
            let init = rng.next_u128() & mask(b.program().vars[cell].width);
            b.program().vars[cell].init = init;
        }
        let n = b.input("n", 7);
        let mut leaves = vec![b.program().input(n), b.program().address(object)];
        for k in 0..4 {
            let width = 1 + rng.below(64) as u32;
            let v = b.local(main, &format!("v{k}"), width, rng.next_u128());
            leaves.push(b.var(v));
        }
        let fixed = leaves[1..].to_vec();
        let mut spec = EdgeSpec::new("compute").atomic_access();
        for _ in 0..3 {
            let noise = expression(&mut b, &mut rng, &fixed, 1);
            let low = b.pool().resize(noise, 32, false);
            let small = b.pool().constant(15, 32);
            let small = b.pool().and(low, small);
            let base = b.pool().constant(7, 32);
            let addr = b.pool().op2(Op2::Add, base, small);
            let bytes = 1 + rng.below(9) as u32;
            let d = spec.deref(addr, bytes, None);
            let (loaded, valid) = (b.loaded(d, bytes), b.valid(d));
            leaves.extend([loaded, valid]);
        }
        for k in 0..4 {
            let value = expression(&mut b, &mut rng, &leaves, 1 + k);
            let width = b.pool().width(value);
            let v = b.local(main, &format!("r{k}"), width, 0);
            spec = spec.set(v, value);
        }
        b.next(main, spec);
        b.end_process(main);
        let program = b.finish();
        validate(&program).unwrap();

        let machine = Machine::new(&program);
        for input in [0, 1, 77, 127] {
            let mut state = machine.initial();
            let expected = naive(&program, &state, input);
            machine.step(&mut state, main, &mut |_| input).unwrap();
            let edge = &program.threads[main].edges.as_slice()[0];
            for (assign, expected) in edge.assigns.iter().zip(expected) {
                let Target::Var(v) = assign.target else { panic!("only variables are written") };
                assert_eq!(state.value(v), expected, "seed {seed}, input {input}, {v:?}");
            }
            assert_eq!(state.loc(main), LocId::new(1));
        }
    }
}
