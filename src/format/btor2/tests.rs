//! Tests of reading and writing: round trips, the meaning of operators, faults, witnesses.

use super::*;
use crate::base::{Id, IndexVec, Rng};
use crate::expr::{mask, sign_extend};
use crate::ts::random::{RandomOptions, random_run, random_system};
use crate::ts::{InputId, Run, TransitionSystem};

/// All that can be seen of a run: values of the properties and outputs, frame by frame.
fn observe(ts: &TransitionSystem, run: &Run) -> Vec<Vec<u128>> {
    let mut seen = vec![];
    run.frames(ts, |frame| seen.push(ts.property_roots().map(|e| frame.value(e)).collect()));
    seen
}

fn model(text: &str) -> Model {
    let model = read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    model.ts.validate().unwrap_or_else(|e| panic!("{e}\n{text}"));
    model
}

#[test]
fn random_systems_round_trip() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions::everything(&mut rng);
        let ts = random_system(&mut rng, &options);
        let text = write(&ts);
        let Model { ts: back, layout } = model(&text);
        assert_eq!(layout, Layout::of(&ts), "seed {seed}");
        let names = |ts: &TransitionSystem| -> Vec<String> {
            let named = [&ts.constraints, &ts.bads, &ts.fairness, &ts.outputs];
            let named = named.into_iter().flatten().map(|p| p.name.clone());
            let states = ts.states.iter().map(|s| format!("{} {} {:?}", s.name, s.width, s.init));
            let inputs = ts.inputs.iter().map(|i| format!("{} {}", i.name, i.width));
            let justice = ts.justice.iter().map(|j| j.name.clone());
            named.chain(states).chain(inputs).chain(justice).collect()
        };
        assert_eq!(names(&back), names(&ts), "seed {seed}");
        for _ in 0..3 {
            let run = random_run(&mut rng, &ts, 6);
            assert_eq!(observe(&back, &run), observe(&ts, &run), "seed {seed}\n{text}");
        }
        assert_eq!(write(&ts), text);
        assert_eq!(write(&model(&write(&back)).ts), write(&back), "seed {seed}");
    }
}

#[test]
fn text_of_a_counter() {
    let text = "\
; a counter that stops at 9
1 sort bitvec 1
2 sort bitvec 4
3 input 1 enable
4 zero 2
5 state 2 count ; with a comment
6 init 2 5 4
7 constd 2 9
8 ugte 1 5 7
9 and 1 3 -8
10 uext 2 9 3
11 add 2 5 10
12 next 2 5 11
13 eq 1 5 7
14 bad 13 full
15 constraint -8
16 justice 2 3 13
17 fair 3
18 output 11 sum
";
    let Model { ts, .. } = model(text);
    let expected = "\
1 sort bitvec 1
2 input 1 enable
3 sort bitvec 4
4 zero 3
5 state 3 count
6 init 3 5 4
7 constd 3 9
8 ult 1 5 7
9 and 1 2 8
10 uext 3 9 3
11 add 3 5 10
12 eq 1 5 7
13 next 3 5 11
14 constraint 8 constraint0
15 bad 12 full
16 fair 2 fair0
17 justice 2 2 12 justice0
18 output 11 sum
";
    assert_eq!(write(&ts), expected);
}

/// The value of an operator by its description, on numbers.
fn meaning(op: &str, a: u128, b: u128, w: u32) -> u128 {
    let m = mask(w);
    let (x, y) = (sign_extend(a, w), sign_extend(b, w));
    let bits = |f: &dyn Fn(u32) -> bool| (0..w).fold(0, |v, k| v | u128::from(f(k)) << k);
    let bit = |v: u128, k: u32| v >> k & 1 == 1;
    let fits = |v: Option<i128>| v.is_some_and(|v| sign_extend(v as u128 & m, w) == v);
    let ufits = |v: Option<u128>| v.is_some_and(|v| v <= m);
    let by = |b: u128| u32::try_from(b % u128::from(w)).unwrap();
    match op {
        "not" => !a & m,
        "inc" => a.wrapping_add(1) & m,
        "dec" => a.wrapping_sub(1) & m,
        "neg" => (x.wrapping_neg() as u128) & m,
        "redand" => u128::from(a.count_ones() == w),
        "redor" => u128::from(a.count_ones() > 0),
        "redxor" => u128::from(a.count_ones() % 2),
        "iff" | "eq" => u128::from(a == b),
        "neq" => u128::from(a != b),
        "implies" => u128::from(a <= b),
        "sgt" => u128::from(x > y),
        "ugt" => u128::from(a > b),
        "sgte" => u128::from(x >= y),
        "ugte" => u128::from(a >= b),
        "slt" => u128::from(x < y),
        "ult" => u128::from(a < b),
        "slte" => u128::from(x <= y),
        "ulte" => u128::from(a <= b),
        "and" => a & b,
        "nand" => !(a & b) & m,
        "nor" => !(a | b) & m,
        "or" => a | b,
        "xnor" => !(a ^ b) & m,
        "xor" => a ^ b,
        "rol" => bits(&|k| bit(a, (k + w - by(b)) % w)),
        "ror" => bits(&|k| bit(a, (k + by(b)) % w)),
        "sll" => bits(&|k| u128::from(k) >= b && bit(a, k - b as u32)),
        "srl" => bits(&|k| b < u128::from(w - k) && bit(a, k + b as u32)),
        "sra" => bits(&|k| bit(a, if b < u128::from(w - k) { k + b as u32 } else { w - 1 })),
        "add" => a.wrapping_add(b) & m,
        "sub" => a.wrapping_sub(b) & m,
        "mul" => a.wrapping_mul(b) & m,
        "udiv" => a.checked_div(b).unwrap_or(m),
        "urem" => a.checked_rem(b).unwrap_or(a),
        "sdiv" if y == 0 => {
            if x < 0 {
                1
            } else {
                m
            }
        }
        "sdiv" => x.wrapping_div(y) as u128 & m,
        "srem" => {
            if y == 0 {
                a
            } else {
                x.wrapping_rem(y) as u128 & m
            }
        }
        "smod" if y == 0 => a,
        "smod" => {
            let r = x.wrapping_rem(y);
            (if r != 0 && (r < 0) != (y < 0) { r + y } else { r }) as u128 & m
        }
        "uaddo" => u128::from(!ufits(a.checked_add(b))),
        "saddo" => u128::from(!fits(x.checked_add(y))),
        "usubo" => u128::from(!ufits(a.checked_sub(b))),
        "ssubo" => u128::from(!fits(x.checked_sub(y))),
        "umulo" => u128::from(!ufits(a.checked_mul(b))),
        "smulo" => u128::from(!fits(x.checked_mul(y))),
        "sdivo" => u128::from(y != 0 && !fits(x.checked_div(y))),
        "udivo" => 0,
        _ => panic!("{op}"),
    }
}

const UNARY: [&str; 7] = ["not", "inc", "dec", "neg", "redand", "redor", "redxor"];
const BITS: [&str; 2] = ["iff", "implies"];
const BINARY: [&str; 37] = [
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "and", "nand", "nor",
    "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul", "sdiv", "udiv", "smod",
    "srem", "urem", "sub", "saddo", "uaddo", "sdivo", "udivo", "smulo", "umulo", "ssubo", "usubo",
];

#[test]
fn operators_mean_what_the_format_says() {
    let mut rng = Rng::new(1);
    for w in [1, 2, 3, 4, 8, 63, 64, 65, 100, 128] {
        let mut text = format!("1 sort bitvec 1\n2 sort bitvec {w}\n3 input 2 a\n4 input 2 b\n");
        let mut names = vec![];
        let all = UNARY.iter().map(|op| (*op, "3")).chain(BINARY.iter().map(|op| (*op, "3 4")));
        for (op, operands) in all.chain(BITS.iter().filter(|_| w == 1).map(|op| (*op, "3 4"))) {
            let id = 5 + 2 * names.len();
            let one = operator::unary_reduces(op) == Some(true)
                || operator::binary_shape(op) == Some(operator::Shape::Comparison);
            let sort = if one { 1 } else { 2 };
            text += &format!("{id} {op} {sort} {operands}\n{} output {id} {op}\n", id + 1);
            names.push(op);
        }
        let ts = model(&text).ts;
        let mut value = || match rng.below(4) {
            0 => rng.below(w as usize + 2) as u128,
            1 => (rng.below(w as usize + 2) as u128).wrapping_neg(),
            2 => (1 << (w - 1)) + rng.below(3) as u128 - 1,
            _ => rng.next_u128() >> rng.below(128),
        } & mask(w);
        let pairs: Vec<(u128, u128)> = if w <= 4 {
            (0..=mask(w)).flat_map(|a| (0..=mask(w)).map(move |b| (a, b))).collect()
        } else {
            (0..300).map(|_| (value(), value())).collect()
        };
        let inputs = pairs.iter().map(|&(a, b)| IndexVec::from_vec(vec![a, b])).collect();
        let seen = observe(&ts, &Run { initial: IndexVec::new(), inputs });
        for (values, (a, b)) in seen.into_iter().zip(pairs) {
            for (op, value) in names.iter().zip(values) {
                assert_eq!(value, meaning(op, a, b, w), "{op} of {a:#x} and {b:#x}, width {w}");
            }
        }
    }
}

#[test]
fn other_operators() {
    let text = "\
1 sort bitvec 1
2 sort bitvec 4
3 sort bitvec 8
4 input 2
5 input 2
6 input 1
7 concat 3 4 5
8 output 7
9 sext 3 4 4
10 output 9
11 uext 3 4 4
12 output 11
13 slice 1 4 2 2
14 output 13
15 ite 2 6 4 -5
16 output 15
17 consth 3 a5
18 output 17
19 constd 3 -128
20 output 19
21 const 2 0110
22 output 21
23 uext 2 4 0
24 output 23
";
    let ts = model(text).ts;
    let frame = |c| IndexVec::from_vec(vec![0xb, 0x6, c]);
    let run = Run { initial: IndexVec::new(), inputs: vec![frame(1), frame(0)] };
    let expected = vec![0xb6, 0xfb, 0x0b, 0, 0xb, 0xa5, 0x80, 6, 0xb];
    let mut second = expected.clone();
    second[4] = 9;
    assert_eq!(observe(&ts, &run), [expected, second]);
    assert_eq!(ts.inputs[InputId::new(1)].name, "input5");
}

#[test]
fn arrays_are_their_elements() {
    let text = "\
1 sort bitvec 1
2 sort bitvec 2
3 sort bitvec 8
4 sort array 2 3
5 input 2 at
6 input 3 value
7 input 1 enable
8 constd 3 7
9 state 4 memory
10 init 4 9 8
11 write 4 9 5 6
12 ite 4 7 11 9
13 next 4 9 12
14 read 3 9 5
15 output 14 read
16 eq 1 9 11
17 output 16 same
18 state 4 free
19 next 4 18 18
20 neq 1 18 9
21 output 20 differ
";
    let Model { ts, layout } = model(text);
    assert_eq!(ts.states.len(), 8);
    assert_eq!((layout.states[0].index, layout.states[0].free), (Some(2), false));
    assert!(layout.states[1].free);
    let mut rng = Rng::new(3);
    let run = random_run(&mut rng, &ts, 200);
    let mut memory = [7; 4];
    let free: Vec<u128> = run.initial.iter().skip(4).copied().collect();
    for (frame, seen) in run.inputs.iter().zip(observe(&ts, &run)) {
        let &[at, value, enable] = frame.as_slice() else { unreachable!() };
        let mut written = memory;
        written[at as usize] = value;
        let differ = free != memory;
        assert_eq!(seen, [memory[at as usize], u128::from(written == memory), u128::from(differ)]);
        if enable == 1 {
            memory = written;
        }
    }
    let mut witness = Witness { properties: vec![], run };
    witness.run.inputs.truncate(2);
    let with_bad = text.to_string() + "22 bad 16\n";
    let Model { ts, layout } = model(&with_bad);
    witness.properties.push(Property::Bad(0));
    let written = write_witness(&witness, &ts, &layout);
    assert!(written.contains("\n1 [10] "), "{written}");
    assert_eq!(read_witness(written.as_bytes(), &ts, &layout), Ok(witness));
}

#[test]
fn states_without_next_and_with_computed_init() {
    let text = "\
1 sort bitvec 4
2 one 1
3 state 1 base
4 next 1 3 3
5 add 1 3 2
6 state 1 above
7 init 1 6 5
8 add 1 6 2
9 next 1 6 8
10 state 1 loose
11 state 1 tied
12 init 1 11 2
13 output 6
14 output 10
15 output 11
16 state 1 late
17 constd 1 9
18 init 1 16 17
19 next 1 16 16
20 output 16
";
    let Model { ts, layout } = model(text);
    let names: Vec<_> = ts.states.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["base", "above", "first-frame", "late"]);
    assert_eq!(ts.inputs.len(), 2);
    assert_eq!(layout.states[2].cells, [Cell::Input(InputId::new(0))]);
    assert_eq!(
        layout.states.iter().map(|s| s.free).collect::<Vec<_>>(),
        [true, false, true, false, false]
    );
    let run = Run {
        initial: IndexVec::from_vec(vec![5, 0, 0, 0]),
        inputs: [(3, 4), (5, 6)].map(|(a, b)| IndexVec::from_vec(vec![a, b])).to_vec(),
    };
    // `tied` starts with its value and is free afterwards.
    assert_eq!(observe(&ts, &run), [vec![6, 3, 1, 9], vec![7, 5, 6, 9]]);
    let bad = "21 slice 22 6 0 0\n";
    assert!(read((text.to_string() + bad).as_bytes()).is_err());
}

fn fault(text: &str) -> (usize, ReadErrorKind) {
    match read(text.as_bytes()) {
        Err(error) => (error.line, error.kind),
        Ok(model) => panic!("accepted:\n{text}{}", model.ts),
    }
}

#[test]
fn faults_are_located() {
    use ReadErrorKind::*;
    let start = "1 sort bitvec 4\n2 sort bitvec 1\n3 sort array 1 1\n4 input 1 a\n5 state 1 s\n";
    let one = |line: &str| {
        let (at, kind) = fault(&format!("{start}{line}\n"));
        assert_eq!(at, 6, "{line}");
        kind
    };
    let found = |what, word: &str| Expected(what, Some(word.to_string()));
    assert_eq!(one("x"), found("the line's number", "x"));
    assert_eq!(one("-7 add 1 4 4"), found("the line's number", "-7"));
    assert_eq!(one("7"), Expected("an operator", None));
    assert_eq!(one("5 add 1 4 4"), IdOrder { id: 5, last: 5 });
    assert_eq!(
        one("99999999999999999999 add 1 4 4"),
        found("the line's number", "99999999999999999999")
    );
    assert_eq!(one("7 frobnicate 1 4"), Operator("frobnicate".into()));
    assert_eq!(one("7 add 9 4 4"), NoSuchSort(9));
    assert_eq!(one("7 add 4 4 4"), NoSuchSort(4));
    assert_eq!(one("7 add 1 4 8"), NoSuchNode(8));
    assert_eq!(one("7 add 1 4 7"), NoSuchNode(7));
    assert_eq!(one("7 add 1 4 1"), NoSuchNode(1));
    assert_eq!(one("7 add 1 4"), Expected("the number of a node", None));
    assert_eq!(one("7 add 1 4 --4"), found("the number of a node", "--4"));
    assert_eq!(one("7 add 1 4 4 name more"), found("the end of the line", "more"));
    let width = |what, expected, found| Width { what, expected, found };
    assert_eq!(one("7 add 2 4 4"), width("the result", 1, 4));
    assert_eq!(one("7 eq 1 4 4"), width("the result", 4, 1));
    assert_eq!(one("7 concat 1 4 4"), width("the result", 4, 8));
    assert_eq!(one("7 iff 2 4 4"), width("the first operand", 1, 4));
    assert_eq!(one("7 bad 4"), width("a property", 1, 4));
    assert_eq!(one("7 justice 1 4"), width("a condition", 1, 4));
    assert_eq!(one("7 justice 4000000000 4"), width("a condition", 1, 4));
    assert_eq!(one("7 justice 2"), Expected("the number of a node", None));
    assert_eq!(one("7 ite 1 4 4 4"), width("the condition", 1, 4));
    assert_eq!(one("7 sext 1 4 1"), width("the result", 4, 5));
    assert_eq!(one("7 uext 1 4 18446744073709551615"), width("the result", 4, u32::MAX));
    assert_eq!(one("7 slice 2 4 4 4"), Slice { high: 4, low: 4, width: 4 });
    assert_eq!(one("7 slice 2 4 0 1"), Slice { high: 0, low: 1, width: 4 });
    assert_eq!(one("7 slice 2 4 1 0"), width("the result", 1, 2));
    assert_eq!(one("7 const 1 10101"), Constant("10101".into()));
    assert_eq!(one("7 const 1 012"), Constant("012".into()));
    assert_eq!(one("7 constd 1 16"), Constant("16".into()));
    assert_eq!(one("7 constd 1 -9"), Constant("-9".into()));
    assert_eq!(one("7 constd 1 -"), Constant("-".into()));
    assert_eq!(one("7 consth 2 2"), Constant("2".into()));
    assert_eq!(one("7 zero 3"), Sort("a constant"));
    assert_eq!(one("7 sort bitvec 0"), Unsupported(0));
    assert_eq!(one("7 sort bitvec 129"), Unsupported(129));
    assert_eq!(one("7 sort word 3"), found("`bitvec` or `array`", "word"));
    assert_eq!(one("7 sort array 1 3"), NestedArray);
    assert_eq!(one("7 next 1 4 4"), NotAState(4));
    assert_eq!(one("7 next 2 5 4"), width("the state", 1, 4));
    assert_eq!(one("7 next 1 9 4"), NoSuchNode(9));
    assert_eq!(one("7 read 1 4 4"), Sort("an operand"));
    assert_eq!(one("7 bad -3"), NoSuchNode(3));
    assert_eq!(fault(&format!("{start}6 next 1 5 4\n7 next 1 5 4\n")), (7, Twice("`next`", 5)));
    assert_eq!(fault(&format!("{start}6 add 1 4 4\n7 init 1 5 6\n")), (7, InitOrder));
    let twice = format!("{start}6 zero 1\n7 next 1 5 5\n8 init 1 5 6\n9 init 1 5 6\n");
    assert_eq!(fault(&twice), (9, Twice("`init`", 5)));
    assert_eq!(fault("1 sort bitvec 11\n2 sort array 1 1\n"), (2, ArrayTooLarge { index: 11 }));
    let many: String = (3..300).map(|k| format!("{k} input 2\n")).collect();
    let (_, kind) = fault(&format!("1 sort bitvec 10\n2 sort array 1 1\n{many}"));
    assert_eq!(kind, ArraysTooLarge);
    assert_eq!(fault("1 sort bitvec 4\n\n2 input 1 \u{e9}\n"), (3, NotAscii(0xc3)));
    assert_eq!(fault("1 sort bitvec 4\n2 input 1 a\u{7}\n"), (2, NotAscii(7)));
    assert_eq!(fault("aag 0 0 0 0 0\n").0, 1);
    // Comments may say anything, and no file is too short.
    assert!(read("; \u{e9}\n1 sort bitvec 4 ;\u{e9}\n".as_bytes()).is_ok());
    assert!(read(b"").is_ok());
}

#[test]
fn arrays_with_wrong_sorts_are_refused() {
    use ReadErrorKind::*;
    let start = "1 sort bitvec 2\n2 sort bitvec 4\n3 sort array 1 2\n4 state 3 m\n5 input 1 i\n\
                 6 input 2 v\n7 sort bitvec 1\n8 sort array 1 1\n9 state 8 n\n";
    let one = |line: &str| {
        let (at, kind) = fault(&format!("{start}{line}\n"));
        assert_eq!(at, 10, "{line}");
        kind
    };
    let width = |what, expected, found| Width { what, expected, found };
    assert_eq!(one("10 read 2 4 6"), width("the index", 2, 4));
    assert_eq!(one("10 read 1 4 5"), width("the result", 2, 4));
    assert_eq!(one("10 write 3 4 5 5"), width("the element", 4, 2));
    assert_eq!(one("10 write 8 4 5 6"), Sort("the result"));
    assert_eq!(one("10 eq 7 4 9"), Sort("an operand"));
    assert_eq!(one("10 eq 7 4 6"), Sort("an operand"));
    assert_eq!(one("10 add 3 4 4"), Sort("an operand"));
    assert_eq!(one("10 not 3 4"), Sort("an operand"));
    assert_eq!(one("10 eq 7 -4 4"), Sort("a complement"));
    assert_eq!(one("10 next 3 4 9"), Sort("the next state"));
    assert_eq!(one("10 init 3 4 5"), Sort("the initial value"));
    assert_eq!(one("10 bad 4"), Sort("an operand"));
}

#[test]
fn witnesses_round_trip() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions::everything(&mut rng);
        let ts = random_system(&mut rng, &options);
        let layout = Layout::of(&ts);
        let frames = 1 + rng.below(4);
        let mut properties = vec![Property::Bad(rng.below(ts.bads.len()))];
        if !ts.justice.is_empty() {
            properties.push(Property::Justice(0));
        }
        let witness = Witness { properties, run: random_run(&mut rng, &ts, frames) };
        let text = write_witness(&witness, &ts, &layout);
        assert_eq!(read_witness(text.as_bytes(), &ts, &layout), Ok(witness), "seed {seed}\n{text}");
    }
}

const SMALL: &str = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 1 i\n4 input 2\n5 state 1 s\n\
                     6 next 1 5 3\n7 bad 4\n8 state 1 loose\n";

#[test]
fn witnesses_of_others() {
    let Model { ts, layout } = model(SMALL);
    let read = |text: &str| read_witness(text.as_bytes(), &ts, &layout);
    let witness = read("; found\nsat\nb0 \n#0\n0 10 s#0\n1 01\n@0\n0 1x i@0\n#1\n@1\n1 1\n@2\n.\n");
    let frame = |i, b, loose| IndexVec::from_vec(vec![i, b, loose]);
    let expected = Run {
        initial: IndexVec::from_vec(vec![2]),
        inputs: vec![frame(2, 0, 1), frame(0, 1, 0), frame(0, 0, 0)],
    };
    assert_eq!(witness.unwrap().run, expected);
    let fault = |text: &str| {
        let error = read(text).expect_err(text);
        (error.line, error.kind)
    };
    use WitnessErrorKind::*;
    assert_eq!(fault("").1, Expected("a further line: the witness is cut off"));
    assert_eq!(fault("unsat\n"), (1, Expected("`sat`")));
    assert_eq!(fault("sat\nc0\n"), (2, Expected("properties, such as `b0`")));
    assert_eq!(fault("sat\nb1\n"), (2, NoSuchProperty(Property::Bad(1))));
    assert_eq!(fault("sat\nb0 j0\n"), (2, NoSuchProperty(Property::Justice(0))));
    assert_eq!(fault("sat\nb0\n.\n"), (3, Expected("a property and a frame")));
    assert_eq!(fault("sat\n@0\n.\n"), (3, Expected("a property and a frame")));
    assert_eq!(fault("sat\nb0\n#1\n"), (3, Expected("the next frame's number")));
    assert_eq!(fault("sat\nb0\n#99999999999999999999\n"), (3, Expected("a frame's number")));
    assert_eq!(fault("sat\nb0\n#0\n@0\n@0\n"), (5, Expected("the next frame's number")));
    assert_eq!(fault("sat\nb0\n#0\n2 10\n"), (4, NoSuchWord("state", 2)));
    assert_eq!(fault("sat\nb0\n@0\n2 10\n"), (4, NoSuchWord("input", 2)));
    assert_eq!(fault("sat\nb0\n@0\n0 100\n"), (4, Length { expected: 2, found: 3 }));
    assert_eq!(fault("sat\nb0\n@0\n0 12\n"), (4, Expected("a binary digit")));
    assert_eq!(fault("sat\nb0\n@0\n0\n"), (4, Expected("binary digits")));
    assert_eq!(fault("sat\nb0\n@0\nx 1\n"), (4, Expected("a value, a frame, or `.`")));
    assert_eq!(fault("sat\nb0\n@0\n0 10\n").0, 6);
    assert_eq!(read_witness(b"sat\n\xff\n", &ts, &layout).unwrap_err().line, 2);
}
