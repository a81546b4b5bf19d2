//! Tests of reading and writing: round trips, faults, fuzzing, foreign readers.

use super::*;
use crate::aig::random::{RandomOptions, random_aig};
use crate::aig::{Aig, Lit, Named, Reset, reorder};
use crate::base::Rng;
use crate::format::fuzz::mutate;

const BOTH: [Encoding; 2] = [Encoding::Ascii, Encoding::Binary];

#[test]
fn random_graphs_round_trip() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions::everything(&mut rng, 1 + seed as usize % 40);
        let aig = random_aig(&mut rng, &options);
        let expected = reorder(&aig).0;
        for encoding in BOTH {
            let bytes = write(&aig, WriteOptions::new(encoding)).unwrap();
            let back = read(&bytes).unwrap_or_else(|e| panic!("seed {seed}, {encoding:?}: {e}"));
            assert_eq!(back, expected, "seed {seed}, {encoding:?}");
            let again = write(&back, WriteOptions::new(encoding)).unwrap();
            assert_eq!(again, bytes, "seed {seed}, {encoding:?}");
        }
    }
}

#[test]
fn large_graph_round_trips() {
    let mut rng = Rng::new(1);
    let mut options = RandomOptions::everything(&mut rng, 300);
    options.ands = 20_000;
    let aig = random_aig(&mut rng, &options);
    for encoding in BOTH {
        let bytes = write(&aig, WriteOptions::new(encoding)).unwrap();
        assert_eq!(read(&bytes).unwrap(), reorder(&aig).0);
    }
}

/// One of everything, as text.
const SAMPLE: &str = "aag 8 2 3 1 3 1 1 2 1
2
4
6 12
8 17 1
10 10 10
14
16
3
2
1
6
9
10
7
12 6 2
14 12 5
16 14 8
i0 request with spaces
l1 upper; %
o0 out
b0 bad
c0 only if
j1 always again
f0 fair
c
first line

c last line
";

#[test]
fn sample_has_everything() {
    let aig = read(SAMPLE.as_bytes()).unwrap();
    let name = |n: &str| Some(n.to_string());
    assert_eq!(aig.inputs()[0].name, name("request with spaces"));
    assert_eq!(aig.inputs()[1].name, None);
    let resets: Vec<_> = aig.latches().iter().map(|l| l.reset).collect();
    assert_eq!(resets, [Reset::Zero, Reset::One, Reset::Free]);
    assert_eq!(aig.latches()[1].name, name("upper; %"));
    let lit = Lit::from_code;
    assert_eq!(aig.latches()[1].next, lit(17));
    assert_eq!(aig.outputs, [Named { value: lit(14), name: name("out") }]);
    assert_eq!(aig.bads, [Named { value: lit(16), name: name("bad") }]);
    assert_eq!(aig.constraints, [Named { value: lit(3), name: name("only if") }]);
    assert_eq!(
        aig.justice,
        [
            Named { value: vec![lit(6), lit(9)], name: None },
            Named { value: vec![lit(10)], name: name("always again") },
        ]
    );
    assert_eq!(aig.fairness, [Named { value: lit(7), name: name("fair") }]);
    assert_eq!(aig.comments, ["first line", "", "c last line"]);
    assert_eq!(write(&aig, WriteOptions::new(Encoding::Ascii)).unwrap(), SAMPLE.as_bytes());
}

#[test]
fn ascii_ands_in_any_order() {
    let shuffled = SAMPLE.replace("12 6 2\n14 12 5\n16 14 8\n", "16 14 8\n14 5 12\n12 2 6\n");
    assert_eq!(read(shuffled.as_bytes()).unwrap(), read(SAMPLE.as_bytes()).unwrap());
    // A long chain, outermost first, needs no deep recursion.
    let n = 100_000;
    let mut text = format!("aag {} {} 0 1 {n}\n", 2 * n + 1, n + 1);
    (1..n + 2).for_each(|v| text += &format!("{}\n", 2 * v));
    text += &format!("{}\n", 2 * (2 * n + 1));
    for v in (n + 2..2 * n + 2).rev() {
        text += &format!("{} {} {}\n", 2 * v, 2 * v - 1, 2 * (v - n - 1));
    }
    assert_eq!(read(text.as_bytes()).unwrap().num_ands(), n);
}

#[test]
fn gaps_in_the_numbering_are_accepted() {
    let aig = read(b"aag 2147483647 1 1 0 1\n4294967294\n20 21\n8 20 4294967295\n").unwrap();
    assert_eq!((aig.inputs().len(), aig.latches().len(), aig.num_ands()), (1, 1, 1));
}

fn ascii_fault(text: &str) -> (usize, ReadErrorKind) {
    match read(text.as_bytes()) {
        Err(ReadError { place: Place::Line(line), kind }) => (line, kind),
        other => panic!("{other:?} from {text}"),
    }
}

#[test]
fn ascii_faults_are_located() {
    use ReadErrorKind::*;
    let fault = ascii_fault;
    for text in ["", "a", "aig", "hello", "aag1 0 0 0 0 0\n", "AAG 0 0 0 0 0\n"] {
        assert_eq!(fault(text), (1, Magic), "{text}");
    }
    assert_eq!(fault("aag 0 0 0 0\n"), (1, Expected("a space", Some(b'\n'))));
    assert_eq!(fault("aag -1 0 0 0 0\n"), (1, Expected("a number", Some(b'-'))));
    assert_eq!(fault("aag 0 0 0 0 0"), (1, Expected("a space", None)));
    assert_eq!(
        fault("aag 0 0 0 0 0 0 0 0 0 0\n"),
        (1, Expected("the end of the line", Some(b' ')))
    );
    assert_eq!(fault("aag 4294967296 0 0 0 0\n"), (1, NumberTooLarge));
    assert_eq!(fault("aag 2147483648 0 0 0 0\n"), (1, TooManyVariables(1 << 31)));
    assert_eq!(fault("aag 1 1 1 0 0\n2\n4 2\n"), (1, Counts { maximum: 1, sum: 2 }));
    let huge = Counts { maximum: 7, sum: 3 * u64::from(u32::MAX) };
    assert_eq!(fault("aag 7 4294967295 4294967295 0 4294967295\n"), (1, huge));
    assert_eq!(fault("aag 2 1 1 0 0\n2\n4\n"), (3, Expected("a space", Some(b'\n'))));
    assert_eq!(fault("aag 2 1 1 0 0\n2\n4 2 2\n"), (3, Reset(2)));
    assert_eq!(fault("aag 2 1 1 0 0\n2\n4 2 5\n"), (3, Reset(5)));
    assert_eq!(fault("aag 1 1 0 1 0\n2\n4\n"), (3, LiteralTooLarge { literal: 4, largest: 3 }));
    assert_eq!(fault("aag 1 1 0 1 0\n2\n3"), (3, Expected("the end of the line", None)));
    assert_eq!(fault("aag 1 1 0 1 0\n2\n"), (3, Expected("a number", None)));
    assert_eq!(fault("aag 1 1 0 0 0\r\n2\r\n"), (1, Expected("a space", Some(b'\r'))));
    assert_eq!(fault("aag 1 1 0 0 0\n3\n"), (2, NotAVariable(3)));
    assert_eq!(fault("aag 1 1 0 0 0\n0\n"), (2, NotAVariable(0)));
    assert_eq!(fault("aag 2 2 0 0 0\n2\n2\n"), (3, DefinedTwice(2)));
    assert_eq!(fault("aag 2 1 1 0 0\n2\n2 0\n"), (3, DefinedTwice(2)));
    assert_eq!(fault("aag 2 1 0 0 1\n2\n2 0 0\n"), (3, DefinedTwice(2)));
    assert_eq!(fault("aag 3 1 0 0 2\n2\n6 2 2\n6 2 2\n"), (4, DefinedTwice(6)));
    assert_eq!(fault("aag 2 1 0 0 1\n2\n5 2 2\n"), (3, NotAVariable(5)));
    assert_eq!(fault("aag 3 1 0 1 1\n2\n6\n4 2 7\n"), (4, Undefined(7)));
    assert_eq!(fault("aag 3 1 0 1 1\n2\n6\n4 2 2\n"), (3, Undefined(6)));
    assert_eq!(fault("aag 3 0 1 0 0\n2 6\n"), (2, Undefined(6)));
    assert_eq!(fault("aag 1 0 0 0 1\n2 3 1\n"), (2, Cycle(2)));
    assert_eq!(fault("aag 4 1 0 0 3\n2\n4 2 6\n6 2 8\n8 2 5\n"), (5, Cycle(4)));
    assert_eq!(fault("aag 0 0 0 0 0 0 0 1\n5\n1\n"), (4, Expected("a number", None)));
    assert_eq!(fault("aag 1 1 0 0 0\n2\nq\n"), (3, Expected("a symbol or a comment", Some(b'q'))));
    assert_eq!(fault("aag 1 1 0 0 0\n2\ni1 x\n"), (3, SymbolPosition(1)));
    assert_eq!(fault("aag 1 1 0 0 0\n2\nc0 x\n"), (3, SymbolPosition(0)));
    assert_eq!(fault("aag 1 1 0 0 0\n2\ni0 x\ni0 y\n"), (4, SymbolTwice(0)));
    assert_eq!(fault("aag 1 1 0 0 0\n2\ni0 x"), (3, Expected("the end of the line", None)));
    let error = read(b"aag 1 1 0 0 0\n2\ni0 \xff\n").unwrap_err();
    assert_eq!(error, ReadError { place: Place::Line(3), kind: NotAscii(0xff) });
}

#[test]
fn binary_faults_are_located() {
    use ReadErrorKind::*;
    let fault = |bytes: &[u8]| match read(bytes) {
        Err(ReadError { place: Place::Byte(at), kind }) => (at, kind),
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(b"aig 3 1 1 0 0\n0\n"), (4, Counts { maximum: 3, sum: 2 }));
    let many = 2_000_000_000;
    assert_eq!(fault(b"aig 2000000000 2000000000 0 0 0\n"), (4, TooManyInputs(many)));
    assert_eq!(fault(b"aig 2000000000 0 2000000000 0 0\n"), (32, Expected("a number", None)));
    assert_eq!(fault(b"aig 2000000000 0 0 0 2000000000\n"), (32, Expected("an and", None)));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\x00\x00"), (14, Difference));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\x05\x00"), (14, Difference));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\x02\x03"), (14, Difference));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\x02"), (15, Expected("an and", None)));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\xff\xff\xff\xff\x7f\x00"), (14, NumberTooLarge));
    assert_eq!(fault(b"aig 2 1 0 0 1\n\x80\x80\x80\x80\x80\x00\x00"), (14, NumberTooLarge));
    assert_eq!(fault(b"aig 1 0 1 0 0\n0 3\n"), (16, Reset(3)));
}

#[test]
fn mutated_files_never_panic() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions::everything(&mut rng, 12);
        let aig = random_aig(&mut rng, &options);
        let mut bytes = write(&aig, WriteOptions::new(*rng.pick(&BOTH))).unwrap();
        for _ in 0..1 + rng.below(3) {
            mutate(&mut rng, &mut bytes);
        }
        match read(&bytes) {
            // What is accepted is a graph that can be written again.
            Ok(back) => {
                let text = write(&back, WriteOptions::new(Encoding::Ascii)).unwrap();
                assert!(read(&text).is_ok(), "seed {seed}");
                accepted += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

/// A graph that AIGER 1.0 can express, with bads as its only properties.
fn old_graph(rng: &mut Rng, resets: &'static [Reset]) -> Aig {
    let options = RandomOptions {
        outputs: 0,
        bads: 3,
        constraints: 0,
        justice: 0,
        fairness: 0,
        resets,
        ..RandomOptions::everything(rng, 15)
    };
    random_aig(rng, &options)
}

#[test]
fn bads_become_outputs() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut aig = old_graph(&mut rng, &[Reset::Zero, Reset::One]);
        let mut expected = reorder(&aig).0;
        expected.outputs = std::mem::take(&mut expected.bads);
        aig.outputs.push(Named { value: Lit::TRUE, name: None });
        for encoding in BOTH {
            let options = WriteOptions { encoding, outputs_as_bad: true };
            let bytes = write(&aig, options).unwrap();
            assert_eq!(
                bytes.split(|&b| b == b'\n').next().unwrap().split(|&b| b == b' ').count(),
                6
            );
            assert_eq!(read(&bytes).unwrap(), expected, "seed {seed}");
        }
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let old =
        |aig: &Aig| write(aig, WriteOptions { encoding: Encoding::Ascii, outputs_as_bad: true });
    let mut aig = Aig::new();
    aig.input(Some("two\nlines".into()));
    let error = write(&aig, WriteOptions::new(Encoding::Ascii)).unwrap_err();
    assert_eq!(error, WriteError::Symbol("two\nlines".into()));
    let mut aig = Aig::new();
    aig.latch(Reset::Zero, Some("\u{e9}".into()));
    let error = write(&aig, WriteOptions::new(Encoding::Binary)).unwrap_err();
    assert_eq!(error, WriteError::Symbol("\u{e9}".into()));
    let mut aig = Aig::new();
    let x = aig.input(None);
    aig.latch(Reset::Free, None);
    assert_eq!(old(&aig), Err(WriteError::FreeLatch("0".into())));
    aig.justice.push(Named { value: vec![], name: None });
    assert_eq!(old(&aig), Err(WriteError::JusticeLost));
    aig.constraints.push(Named { value: x, name: None });
    assert_eq!(old(&aig), Err(WriteError::ConstraintsLost));
}

#[test]
fn the_aiger_crate_reads_the_same() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut aig = old_graph(&mut rng, &[Reset::Zero]);
        let options = WriteOptions { encoding: Encoding::Ascii, outputs_as_bad: true };
        let bytes = write(&aig, options).unwrap();
        aig = reorder(&aig).0;
        let reader = aiger::Reader::from_reader(bytes.as_slice()).unwrap();
        assert_eq!(reader.header().m, aig.nodes().len() - 1);
        let (mut inputs, mut latches, mut outputs, mut ands, mut names) = (0, 0, 0, 0, 0);
        for record in reader.records() {
            match record.unwrap() {
                aiger::Aiger::Input(lit) => {
                    assert_eq!(lit.0 as u32, Lit::new(aig.inputs()[inputs].var, false).code());
                    inputs += 1;
                }
                aiger::Aiger::Latch { output, input } => {
                    let latch = &aig.latches()[latches];
                    assert_eq!(output.0 as u32, Lit::new(latch.var, false).code());
                    assert_eq!(input.0 as u32, latch.next.code());
                    latches += 1;
                }
                aiger::Aiger::Output(lit) => {
                    assert_eq!(lit.0 as u32, aig.bads[outputs].value.code());
                    outputs += 1;
                }
                aiger::Aiger::AndGate { output, inputs } => {
                    let [a, b] = inputs.map(|l| Lit::from_code(l.0 as u32));
                    let var = Lit::from_code(output.0 as u32).var();
                    assert_eq!(aig.node(var), crate::aig::Node::And(a, b));
                    ands += 1;
                }
                aiger::Aiger::Symbol { .. } => names += 1,
            }
        }
        assert_eq!((inputs, latches), (aig.inputs().len(), aig.latches().len()), "seed {seed}");
        assert_eq!((outputs, ands), (aig.bads.len(), aig.num_ands()), "seed {seed}");
        let named = aig.inputs().iter().filter(|i| i.name.is_some()).count()
            + aig.latches().iter().filter(|l| l.name.is_some()).count()
            + aig.bads.iter().filter(|b| b.name.is_some()).count();
        assert_eq!(names, named, "seed {seed}");
    }
}
