//! The value that latchwork computes for sequential C is the value that the machine's C compiler
//! computes.
//!
//! Random programs over all integer types compute one number each; the compiler's number is the
//! reference.

mod generate;
mod reference;

use generate::{Config, Program, generate};
use latchwork::base::SourceMap;
use latchwork::frontend::c::{DataModel, SourceOptions, parse_text};

const SEED: u64 = 2024;

fn batch(count: usize, config: Config) -> Vec<Program> {
    (0..count).map(|id| generate(id, SEED + id as u64, config)).collect()
}

/// The programs have one meaning: the compiler's optimisation does not change it, and its
/// sanitizers find nothing.
#[test]
fn generated_programs_are_defined() {
    for (count, config) in [(20, Config::FULL), (40, Config::SMALL)] {
        let programs = batch(count, config);
        let text = Program::reference(&programs);
        let plain = reference::run(&text, DataModel::Lp64, &["-O0"]).expect("it compiles and runs");
        assert_eq!(plain.len(), programs.len());
        let strict =
            ["-Werror=sequence-point", "-O1", "-fsanitize=undefined", "-fno-sanitize=shift-base"];
        for flags in [&["-O2"][..], &strict] {
            let other = reference::run(&text, DataModel::Lp64, flags);
            let other = other.unwrap_or_else(|e| panic!("{flags:?}, seed {SEED}: {e}"));
            for ((p, a), b) in programs.iter().zip(&plain).zip(&other) {
                assert_eq!(a, b, "{flags:?} changes seed {}:\n{}", p.seed, p.checked(*a));
            }
        }
        let mut distinct = plain.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() > programs.len() * 9 / 10, "results that say little: {plain:?}");
    }
}

/// A batch contains every construct that the test is about.
#[test]
fn generated_programs_cover_the_language() {
    let text = Program::reference(&batch(40, Config::FULL));
    let constructs = [
        "_Bool ",
        "signed char ",
        "unsigned short ",
        "long long ",
        "enum plain",
        "typedef",
        "struct pair",
        "volatile",
        "static ",
        "<<=",
        ">>=",
        "%=",
        "/=",
        "*=",
        "++",
        "--",
        " ? ",
        " && ",
        " || ",
        ", [3] =",
        "sizeof(",
        "switch",
        "default:",
        "case 0 ... 9",
        "} break;",
        "if",
        "continue;",
        "goto",
        "do {",
        "while (",
        "for (",
        "return",
        ".f1 =",
        "*q",
        "&v",
        "~",
        "!",
        "'\\xff'",
        "0b1011",
        "010",
    ];
    for construct in constructs {
        assert!(text.contains(construct), "no `{construct}`");
    }
}

#[test]
fn generated_programs_parse() {
    for data_model in reference::models() {
        let programs = batch(40, Config::FULL);
        let results = reference::run(&Program::reference(&programs), data_model, &["-O0"])
            .expect("it compiles and runs");
        for (p, result) in programs.iter().zip(results) {
            let options = SourceOptions { data_model, ..SourceOptions::default() };
            let mut sources = SourceMap::new();
            let text = p.checked(result);
            if let Err(ds) = parse_text("p.c", &text, &options, &mut sources) {
                panic!("seed {}: {}\n{text}", p.seed, ds[0].render(&sources));
            }
        }
    }
}
