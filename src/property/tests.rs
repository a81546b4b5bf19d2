//! The parser of temporal formulas.

use std::collections::BTreeSet;

use crate::base::Rng;
use crate::ltl::{FormulaId, Formulas, Node};
use crate::program::build::ProgramBuilder;
use crate::program::{Program, Status};
use crate::property::{Atom, Fairness, Ltl, ParseError, parse_ltl};

/// Two threads, variables `x`, `y` and `F`, a local `worker.f.i`, a mutex `m`, labels.
fn program() -> Program {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let worker = b.thread("worker");
    b.shared("x", 8, 0);
    b.shared("y", 8, 0);
    b.shared("F", 8, 0);
    b.local(worker, "worker.f.i", 8, 0);
    let m = b.mutex("m");
    b.create(main, worker);
    b.end(main);
    b.lock(worker, m);
    b.unlock(worker, m);
    b.end(worker);
    let mut program = b.finish();
    let start = program.threads[worker].start;
    program.threads[worker].locations[start].labels.push("f:begin".into());
    program
}

fn parse(text: &str) -> Result<Ltl, ParseError> {
    parse_ltl(&program(), text, Fairness::None)
}

fn show(
    formulas: &Formulas<crate::expr::ExprId>,
    f: FormulaId,
    names: &dyn Fn(crate::expr::ExprId) -> String,
) -> String {
    let of = |f| show(formulas, f, names);
    match formulas.node(f) {
        Node::Const(value) => value.to_string(),
        Node::Atom(e) => names(e),
        Node::Not(a) => format!("!{}", of(a)),
        Node::And(a, b) => format!("({})", sorted([of(a), of(b)]).join(" & ")),
        Node::Or(a, b) => format!("({})", sorted([of(a), of(b)]).join(" | ")),
        Node::Next(a) => format!("X{}", of(a)),
        Node::Until(a, b) => format!("({} U {})", of(a), of(b)),
        Node::Release(a, b) => format!("({} R {})", of(a), of(b)),
    }
}

fn sorted(mut operands: [String; 2]) -> [String; 2] {
    operands.sort();
    operands
}

/// The formula's structure; a condition is shown as the letters of its variables: p, q and r for x,
/// y and F.
fn structure(text: &str) -> String {
    let program = program();
    let ltl = parse_ltl(&program, text, Fairness::None).unwrap_or_else(|e| panic!("{e}"));
    let names = |e| {
        let mut letters = BTreeSet::new();
        ltl.pool.for_each_leaf(e, |atom, _| {
            let Atom::Var(v) = atom else { panic!("{text}") };
            let at = ["x", "y", "F"].iter().position(|n| *n == program.vars[v].name);
            letters.insert(["p", "q", "r"][at.expect("one of these")]);
        });
        letters.into_iter().collect()
    };
    show(&ltl.formulas, ltl.root, &names)
}

#[test]
fn operators_bind_as_documented() {
    for (text, expected) in [
        ("G x == 1", "(false R p)"),
        ("F x == 1 && y", "((true U p) & q)"),
        ("x U y U F > 1", "(p U (q U r))"),
        ("x == 1 U y == 2", "(p U q)"),
        ("x && y U F > 1", "((q U r) & p)"),
        ("x -> y -> G F", "(!p | (!q | (false R r)))"),
        ("(x -> y) -> F > 1", "pqr"),
        ("G (x -> F y)", "(false R (!p | (true U q)))"),
        ("G !(x && y)", "(false R pq)"),
        ("!F x", "!(true U p)"),
        ("!x U y", "(p U q)"),
        ("X X x", "XXp"),
        ("x W y", "(q R (p | q))"),
        ("x R y", "(p R q)"),
        ("G x <-> F y", "((!(false R p) | (true U q)) & (!(true U q) | (false R p)))"),
        ("F && x", "pr"),
        ("F F > 1", "(true U r)"),
        ("G (F > 1)", "(false R r)"),
        ("true U x | y", "(true U pq)"),
        ("F x || false", "(true U p)"),
        ("G true", "true"),
    ] {
        assert_eq!(structure(text), expected, "{text}");
    }
}

/// The value of a formula that is a condition.
fn holds(text: &str, leaf: &dyn Fn(Atom) -> u128) -> bool {
    let ltl = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let Node::Atom(condition) = ltl.formulas.node(ltl.root) else { panic!("{text}") };
    ltl.holds(condition, &mut |a| leaf(a))
}

#[test]
fn names_mean_what_they_should() {
    let program = program();
    let var = |name: &str| program.vars.iter_enumerated().find(|(_, v)| v.name == name).unwrap().0;
    let worker = program.threads.ids().nth(1).unwrap();
    let (i, m, status) = (var("worker.f.i"), var("m"), program.threads[worker].status);
    let start = program.threads[worker].start;
    for (text, atom, value) in [
        ("worker:f:i == 7", Atom::Var(i), 7),
        ("worker.f.i == 7", Atom::Var(i), 7),
        ("owner(m) == worker", Atom::Var(m), 2),
        ("owner(m) == main", Atom::Var(m), 1),
        ("ended(worker)", Atom::Var(status), Status::ENDED),
        ("enabled(worker)", Atom::Enabled(worker), 1),
        ("worker@begin", Atom::At(worker, start), 1),
    ] {
        let with = |v: u128| move |a: Atom| if a == atom { v } else { 0 };
        assert!(holds(text, &with(value)), "{text}");
        assert!(!holds(text, &with(0)), "{text}");
    }
}

#[test]
fn errors_have_their_columns() {
    for (text, column, message) in [
        ("G (x -> F nobody)", 11, "no variable `nobody` in the program"),
        ("G (x == 1", 10, "expected `)`"),
        ("x U", 4, "expected a value"),
        ("x + F y", 3, "`+` needs values, and a temporal formula has none"),
        ("-(G y)", 1, "`-` needs values, and a temporal formula has none"),
        ("x ? G y : y", 3, "`?` needs values, and a temporal formula has none"),
        ("G x )", 5, "unexpected `)`"),
        ("ended(nobody)", 7, "no thread `nobody`"),
        ("enabled(x)", 9, "no thread `x`"),
        ("owner(x) == 1", 7, "`x` is no mutex"),
        ("worker@end", 8, "no label `end` in thread `worker`"),
        ("nobody@end", 1, "no thread `nobody`"),
        ("G x $", 5, "unexpected character `$`"),
        ("", 1, "expected a value"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.column, error.message.as_str()), (column, message), "{text}");
    }
    let deep = "(".repeat(100_000) + "x";
    assert_eq!(parse(&deep).expect_err("too deep").message, "nested too deeply");
    let deep = "F ".repeat(100_000) + "x";
    assert_eq!(parse(&deep).expect_err("too deep").message, "nested too deeply");
    let long = "F x && ".repeat(20_000) + "x";
    assert!(parse(&long).is_ok());
}

#[test]
fn no_text_makes_the_parser_panic() {
    const WORDS: [&str; 40] = [
        "F",
        "G",
        "X",
        "U",
        "R",
        "W",
        "x",
        "y",
        "worker",
        "main",
        "m",
        "f",
        "i",
        "begin",
        "ended",
        "enabled",
        "owner",
        "true",
        "1",
        "0x",
        "99999999999999999999",
        "(",
        ")",
        "!",
        "&&",
        "||",
        "->",
        "<->",
        "?",
        ":",
        "@",
        ".",
        "[",
        "]",
        "==",
        "+",
        "<<",
        "/",
        "ü",
        "\u{0}",
    ];
    let mut parsed = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let words: Vec<&str> = (0..1 + rng.below(9)).map(|_| *rng.pick(&WORDS)).collect();
        let text = words.join(if rng.one_in(3) { "" } else { " " });
        match parse(&text) {
            Ok(_) => parsed += 1,
            Err(e) => assert!((1..=text.len() + 1).contains(&e.column), "{text}: {e}"),
        }
    }
    assert!(parsed > 100, "{parsed}");
}

#[test]
fn what_holds_in_all_states_is_an_invariant() {
    for (text, expected) in [
        ("G x == 1", true),
        ("G (x -> y)", true),
        ("G !(worker@begin && ended(main))", true),
        ("F x", false),
        ("G F x", false),
        ("G enabled(main)", false),
        ("x", false),
    ] {
        assert_eq!(parse(text).unwrap().as_invariant().is_some(), expected, "{text}");
    }
}
