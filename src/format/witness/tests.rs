//! Tests of witness texts in both forms.

use super::*;
use crate::aig::random::{RandomOptions, random_aig, random_initial, random_inputs};
use crate::base::Rng;
use crate::format::fuzz::mutate;

/// Two latches (reset 0 and 1), a free one, two inputs, two bads.
fn model() -> Aig {
    let mut aig = Aig::new();
    aig.input(None);
    aig.input(None);
    for reset in [Reset::Zero, Reset::One, Reset::Free] {
        aig.latch(reset, None);
    }
    let bad = crate::aig::Named { value: crate::aig::Lit::FALSE, name: None };
    aig.bads = vec![bad.clone(), bad];
    aig
}

fn fails(text: &str) -> (usize, WitnessErrorKind) {
    let error = read(text.as_bytes(), &model(), 0).expect_err(text);
    (error.line, error.kind)
}

fn trace(text: &str, bad: usize) -> Trace {
    match read(text.as_bytes(), &model(), bad).expect(text) {
        Witness::Violated(trace) => trace,
        other => panic!("{other:?} from {text}"),
    }
}

#[test]
fn aiger_form() {
    let expected = Trace {
        bad: 1,
        initial: vec![false, true, true],
        inputs: vec![vec![false, true], vec![true, false]],
    };
    assert_eq!(trace("1\nb1\n011\n01\n10\n.\n", 0), expected);
    assert_eq!(trace("u0\nu1\nc comment\n1\r\nb1b0\r\nxx1\r\nx1\r\n1x\r\n.\r\n", 0), expected);
    assert_eq!(trace("1\nb1\n011\n01\n10\n.", 0), expected);
    assert_eq!(read(b"2\n", &model(), 1), Ok(Witness::Unknown(1)));
    assert_eq!(read(b"2\nb0\n.\n", &model(), 1), Ok(Witness::Unknown(0)));
    assert_eq!(read(b"0\nb1\n.\n", &model(), 0), Ok(Witness::Holds(1)));
}

#[test]
fn abc_form() {
    let expected = Trace {
        bad: 1,
        initial: vec![false, true, true],
        inputs: vec![vec![false, true], vec![true, false]],
    };
    // The reset 1 is written as 0, and a folded constraint has added a latch.
    assert_eq!(trace("0010\n01\n10# DONE\n", 1), expected);
    assert_eq!(trace("001\n011\n101# DONE", 1), expected);
    let mut aig = model();
    aig.bads.truncate(1);
    let closed = {
        let mut closed = Aig::new();
        closed.bads = aig.bads;
        closed
    };
    // Without free latches the first state may lack latches.
    let mut reset = closed.clone();
    reset.latch(Reset::One, None);
    let expected = Trace { bad: 0, initial: vec![true], inputs: vec![vec![]] };
    assert_eq!(read(b"\n# DONE\n", &reset, 0), Ok(Witness::Violated(expected)));
    let expected = Trace { bad: 0, initial: vec![], inputs: vec![vec![], vec![]] };
    assert_eq!(read(b"\n\n# DONE\n", &closed, 0), Ok(Witness::Violated(expected.clone())));
    assert_eq!(read(b"1\nb0\n\n\n\n.\n", &closed, 0), Ok(Witness::Violated(expected)));
}

#[test]
fn faults_are_located() {
    use WitnessErrorKind::*;
    assert_eq!(fails(""), (1, End("the status")));
    assert_eq!(fails("3\n"), (1, Status));
    assert_eq!(fails("hello\n"), (1, Status));
    assert_eq!(fails("1\n"), (2, End("the properties")));
    assert_eq!(fails("1\nb\n"), (2, Property));
    assert_eq!(fails("1\nb+1\n"), (2, Property));
    assert_eq!(fails("1\nb99999999999999999999\n"), (2, Property));
    assert_eq!(fails("1\nb2\n"), (2, NoSuchBad(2)));
    assert_eq!(fails("1\nj0\n"), (2, Justice));
    assert_eq!(fails("0\nj0\n"), (2, Justice));
    let short = Length { what: "latches", expected: 3, found: 2 };
    assert_eq!(fails("1\nb0\n01\n"), (3, short));
    assert_eq!(fails("1\nb0\n012\n"), (3, Value(b'2')));
    let long = Length { what: "inputs", expected: 2, found: 3 };
    assert_eq!(fails("1\nb0\n010\n00\n000\n.\n"), (5, long));
    assert_eq!(fails("1\nb0\n010\n00\n"), (5, End("an input vector or `.`")));
    assert_eq!(fails("1\nb0\n010\n.\n"), (4, End("an input vector")));
    let short = Length { what: "inputs", expected: 2, found: 1 };
    assert_eq!(fails("010\n00\n0# DONE\n"), (3, short));
    assert_eq!(fails("010# DONE\n"), (1, Value(b'#')));
    let short = Length { what: "latches", expected: 3, found: 2 };
    assert_eq!(fails("01\n00# DONE\n"), (1, short));
    assert_eq!(fails("0100\n0q0\n00# DONE\n"), (2, Value(b'q')));
    // ABC's text cut off is no witness of either form.
    assert_eq!(fails("010\n00\n"), (1, Status));
    let error = read(b"010\n00# DONE\n", &model(), 5).unwrap_err();
    assert_eq!(error.kind, NoSuchBad(5));
}

#[test]
fn random_traces_round_trip() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut options = RandomOptions::everything(&mut rng, 12);
        options.bads += 1;
        let aig = random_aig(&mut rng, &options);
        let frames = 1 + rng.below(5);
        let trace = Trace {
            bad: rng.below(aig.bads.len()),
            initial: random_initial(&mut rng, &aig),
            inputs: random_inputs(&mut rng, &aig, frames),
        };
        let witness = Witness::Violated(trace);
        assert_eq!(read(write(&witness).as_bytes(), &aig, 0), Ok(witness), "seed {seed}");
    }
}

#[test]
fn mutated_texts_never_panic() {
    let aig = model();
    let texts: [&[u8]; 2] = [b"1\nb1\n011\n01\n10\n.\n", b"0010\n01\n10# DONE\n"];
    for seed in 0..5000 {
        let mut rng = Rng::new(seed);
        let mut text = rng.pick(&texts).to_vec();
        for _ in 0..1 + rng.below(3) {
            mutate(&mut rng, &mut text);
        }
        if let Ok(Witness::Violated(trace)) = read(&text, &aig, 0) {
            assert!(trace.bad < 2 && trace.initial.len() == 3 && !trace.inputs.is_empty());
            assert!(trace.inputs.iter().all(|v| v.len() == 2));
        }
    }
}
