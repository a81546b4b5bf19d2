//! The value that latchwork computes for sequential C is the value that the machine's C compiler
//! computes.
//!
//! Random programs over all integer types compute one number each; the compiler's number is the
//! reference.

mod generate;
mod reference;
#[path = "../common/skip.rs"]
mod skip;

use generate::{Config, Program, generate};
use latchwork::analysis::points_to;
use latchwork::base::{Budget, SourceMap, with_deep_stack};
use latchwork::driver::{Loaded, check_program};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::frontend::c::{DataModel, LowerOptions, lower, parse_text};
use latchwork::program::{self, Machine, SiteKind};
use latchwork::property::PropertyKind;
use latchwork::report::PropertyVerdict;

const SEED: u64 = 2024;

fn batch(count: usize, config: Config) -> Vec<Program> {
    (0..count).map(|id| generate(id, SEED + id as u64, config)).collect()
}

/// The programs have one meaning: the compiler's optimisation does not change it, and its
/// sanitizers find nothing.
#[test]
fn generated_programs_are_defined() {
    let configs = [Config::FULL, Config::SMALL, Config::MEMORY, Config::SMALL_MEMORY];
    for (count, config) in [20, 40, 20, 20].into_iter().zip(configs) {
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
    let mut text = Program::reference(&batch(40, Config::FULL));
    text += &Program::reference(&batch(40, Config::MEMORY));
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
        "union u",
        "deep_",
        "table_",
        "malloc(",
        "strcpy(",
        "turn_",
        "__builtin_offsetof",
        "goto *to",
        "L'a'",
        "__builtin_ctz",
        "__builtin_va_arg",
    ];
    for construct in constructs {
        assert!(text.contains(construct), "no `{construct}`");
    }
}

#[test]
fn generated_programs_parse() {
    for data_model in reference::models() {
        let programs = batch(40, Config::FULL);
        for (p, result) in compiled(&programs, data_model) {
            let mut sources = SourceMap::new();
            let text = p.checked(result);
            if let Err(ds) = parse_text("p.c", &text, &mut sources) {
                panic!("seed {}: {}\n{text}", p.seed, ds[0].render(&sources));
            }
        }
    }
}

/// Number of programs: few, or what `LATCHWORK_FUZZ` says.
fn rounds(few: usize) -> usize {
    std::env::var("LATCHWORK_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Few programs of each configuration, or as many as `LATCHWORK_FUZZ` says.
fn batches(configs: [(usize, Config); 2]) -> Vec<Program> {
    let all = configs.into_iter().flat_map(|(few, config)| vec![config; rounds(few)]);
    all.enumerate().map(|(id, config)| generate(id, SEED + id as u64, config)).collect()
}

/// The programs that the machine's compiler can compile, which must be nearly all, and their
/// results.
fn compiled(programs: &[Program], data_model: DataModel) -> Vec<(&Program, u64)> {
    let mut list = vec![];
    for chunk in programs.chunks(50) {
        let results = reference::results(chunk, data_model);
        list.extend(chunk.iter().zip(results).filter_map(|(p, r)| Some((p, r?))));
    }
    assert!(list.len() * 20 >= programs.len() * 19, "the C compiler crashes on many programs");
    list
}

/// The thread program of a C text whose calls share bodies or are inlined.
fn lowered(text: &str, data_model: DataModel, shared: bool) -> program::Program {
    let mut sources = SourceMap::new();
    let show = |sources: &SourceMap, list: Vec<latchwork::base::Diagnostic>| -> String {
        list.iter().map(|d| d.render(sources)).collect()
    };
    let unit = parse_text("p.c", text, &mut sources)
        .unwrap_or_else(|list| panic!("{}{text}", show(&sources, list)));
    let mut options = LowerOptions { data_model, ..LowerOptions::default() };
    if shared {
        options.inline_limit = 0;
    }
    let lowered = lower(&[unit], sources.clone(), &options)
        .unwrap_or_else(|failed| panic!("{}{text}", show(&failed.sources, failed.errors)));
    let mut program = lowered.program;
    points_to(&mut program);
    program::validate(&program).unwrap_or_else(|e| panic!("{e}\n{text}"));
    program
}

/// Runs `main` alone in the interpreter; what is violated at its end.
fn interpret(program: &program::Program) -> Option<SiteKind> {
    let machine = Machine::new(program);
    let mut state = machine.initial();
    let main = program.threads.ids().next().expect("main is there");
    for _ in 0..2_000_000 {
        if machine.enabled(&state, main).expect("a sound program").is_some() {
            let info = machine.step(&mut state, main, &mut |_| 0).expect("enabled");
            if let Some(site) = info.site {
                return Some(program.sites[site].kind);
            }
        } else {
            return None;
        }
    }
    panic!("the program does not end");
}

#[test]
fn the_interpreter_computes_what_the_compiler_computes() {
    with_deep_stack(|| {
        for data_model in reference::models() {
            let programs = batches([(25, Config::FULL), (25, Config::MEMORY)]);
            for (k, (p, result)) in compiled(&programs, data_model).into_iter().enumerate() {
                let text = p.checked(result);
                for shared in [false, true] {
                    let found = interpret(&lowered(&text, data_model, shared));
                    assert_eq!(found, None, "{data_model:?}, {shared}, seed {}:\n{text}", p.seed);
                }
                if k % 5 == 0 {
                    let wrong = lowered(&p.checked(result ^ 1), data_model, k % 10 == 0);
                    assert_eq!(interpret(&wrong), Some(SiteKind::Assertion), "seed {}", p.seed);
                }
            }
        }
    });
}

#[test]
fn the_circuit_computes_what_the_compiler_computes() {
    with_deep_stack(|| {
        for data_model in reference::models() {
            let programs = batches([(20, Config::SMALL), (20, Config::SMALL_MEMORY)]);
            for (k, (p, result)) in compiled(&programs, data_model).into_iter().enumerate() {
                for (expected, safe) in [(result, true), (result ^ 1, false)] {
                    let text = p.checked(expected);
                    let program = lowered(&text, data_model, k % 2 == 1);
                    let loaded = Loaded { program, warnings: vec![] };
                    let engine = Bmc(BmcOptions::default());
                    let budget = Budget::unlimited();
                    let asked = [PropertyKind::Assert];
                    let report = check_program(loaded, &asked, &engine, &mut Silent, &budget)
                        .unwrap_or_else(|e| panic!("seed {}: {e}\n{text}", p.seed));
                    let verdict = &report.properties[0].verdict;
                    let right = match verdict {
                        PropertyVerdict::Safe(_) => safe,
                        PropertyVerdict::Unsafe => !safe,
                        PropertyVerdict::Unknown(_) => false,
                    };
                    assert!(right, "{data_model:?}, seed {}: {verdict:?}\n{text}", p.seed);
                }
            }
        }
    });
}
