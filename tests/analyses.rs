//! What the analyses find in the examples of the papers, against what the papers print.

use latchwork::base::Budget;
use latchwork::driver::{CheckOptions, ProgramOptions, analyze};
use std::path::Path;

/// One location of the printed facts.
struct Fact {
    thread: String,
    mover: char,
    begins: bool,
    held: String,
    running: String,
    line: usize,
    text: String,
}

fn facts(file: &str) -> Vec<Fact> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/c").join(file);
    let program = ProgramOptions { files: vec![path], ..ProgramOptions::default() };
    let options = CheckOptions { program, ..CheckOptions::default() };
    let text = analyze(&options, &Budget::unlimited()).expect("the program is read");
    let mut thread = String::new();
    let mut result = vec![];
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("thread ") {
            thread = name.into();
            continue;
        }
        let between = |open: &str| {
            let rest = line.split_once(open).expect("a fact").1;
            rest.split_once('}').expect("a fact").0.to_string()
        };
        let source = line.split_once("  # ").expect("a fact").1;
        let Some((place, text)) = source.split_once(": ").filter(|(p, _)| !p.is_empty()) else {
            continue;
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        result.push(Fact {
            thread: thread.clone(),
            mover: words[1].chars().next().expect("a letter"),
            begins: words[2] == "begins",
            held: between("held {"),
            running: between("running {"),
            line: place.rsplit(':').next().and_then(|n| n.parse().ok()).expect("a line"),
            text: text.into(),
        });
    }
    result
}

/// The movers of a thread's statements: those of one line, in order, in one word.
fn movers(facts: &[Fact], thread: &str, lines: std::ops::RangeInclusive<usize>) -> Vec<String> {
    let of = |line| facts.iter().filter(move |f| f.thread == thread && f.line == line);
    lines.map(|line| of(line).map(|f| f.mover).collect()).collect()
}

/// The lines where transactions of a thread begin, its start apart.
fn begins(facts: &[Fact], thread: &str) -> Vec<usize> {
    let inside = |f: &&Fact| f.thread == thread && f.begins && !f.text.ends_with(" starts");
    facts.iter().filter(inside).map(|f| f.line).collect()
}

#[test]
fn p1_1_as_in_the_thesis() {
    let facts = facts("wilhelm_p1_1.c");
    // rm = {0, 2, 6}, lm = {4, 8, 10}, nm is empty, all others move both ways.
    let expected = ["R", "B", "R", "BB", "L", "B", "R", "BB", "L", "BB", "L"];
    assert_eq!(movers(&facts, "thread1", 13..=23), expected);
    // Out = {0, 6, 11}: begin, second acquire of my, end.
    assert_eq!(begins(&facts, "thread1"), [19]);
    assert_eq!(begins(&facts, "thread2"), [0; 0]);
    assert_eq!(begins(&facts, "thread3"), [0; 0]);
    let held = |line| {
        let found = facts.iter().find(|f| f.thread == "thread1" && f.line == line);
        found.expect("a statement").held.clone()
    };
    assert_eq!([13, 14, 16, 18, 20, 22].map(held), ["", "mx", "mx, my", "mx", "mx, my", "mx"]);
}

#[test]
fn p2_1_has_two_more_transactions() {
    let facts = facts("wilhelm_p2_1.c");
    // The accesses of x (lines 14 and 22) move in no way. The thesis counts x = 2 * x + a as one
    // statement, here it is a load and a store; and nobody else uses mx, so it moves both ways.
    let expected = ["B", "N", "R", "BB", "L", "B", "R", "BB", "L", "NN", "B"];
    assert_eq!(movers(&facts, "thread1", 13..=23), expected);
    assert_eq!(begins(&facts, "thread1"), [15, 19, 22, 22]);
    assert_eq!(begins(&facts, "thread3"), [0; 0]);
}

#[test]
fn p3_1_has_one_more_transaction_in_its_third_thread() {
    let facts = facts("wilhelm_p3_1.c");
    assert_eq!(begins(&facts, "thread1").first(), Some(&16));
    assert_eq!(begins(&facts, "thread2"), [0; 0]);
    // y = 2 without the lock.
    assert!(movers(&facts, "thread3", 38..=39).contains(&"N".to_string()));
}

#[test]
fn main_runs_alone_before_and_after_its_threads() {
    let facts = facts("wilhelm_p1_1.c");
    let main: Vec<&Fact> = facts.iter().filter(|f| f.thread == "main").collect();
    assert_eq!(main[0].running, "");
    let last = main.last().expect("main has statements");
    assert_eq!((last.running.as_str(), last.mover), ("", 'B'));
    let joins: Vec<&&Fact> = main.iter().filter(|f| f.text.contains("join")).collect();
    let running: Vec<&str> = joins.iter().map(|f| f.running.as_str()).collect();
    assert_eq!(running, ["thread1, thread2, thread3", "thread2, thread3", "thread3"]);
    assert!(joins.iter().all(|f| f.mover == 'R'));
    assert_eq!(begins(&facts, "main"), [43, 46]);
}

#[test]
fn figures_1_and_2_of_kahlon() {
    let facts = facts("kahlon_figure1.c");
    // Only the store to x meets the last statement of the other thread, which holds no lock.
    assert_eq!(movers(&facts, "thread1", 13..=16), ["R", "N", "L", "B"]);
    assert_eq!(movers(&facts, "thread2", 24..=28), ["R", "B", "BB", "L", "N"]);
    assert_eq!(begins(&facts, "thread2"), [28]);
}
