//! What the analyses find in the examples of the papers, against what the papers print.

use latchwork::analysis::Overview;
use latchwork::base::Budget;
use latchwork::driver::{CheckOptions, ProgramOptions, analyze};
use latchwork::report::{dot_overview, json_overview, text_overview};
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

/// The text of all analyses.
fn analyzed(file: &str) -> String {
    analyzed_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/c").join(file))
}

fn analyzed_file(path: &Path) -> String {
    text_overview(&overview(path))
}

fn overview(path: &Path) -> Overview {
    let program = ProgramOptions { files: vec![path.to_path_buf()], ..ProgramOptions::default() };
    let options = CheckOptions { program, ..CheckOptions::default() };
    analyze(&options, &Budget::unlimited()).expect("the program is read")
}

/// What a section of the text says of a thread's statement that has this text: all that stands
/// before its place, without the location's number.
fn said(text: &str, section: &str, statement: &str) -> String {
    let from = text.split_once(&format!("{section}\n")).expect("the section").1;
    let lines = from.lines().take_while(|l| l.starts_with("  "));
    let line = lines.into_iter().find(|l| l.ends_with(&format!(": {statement}")));
    let line = line.unwrap_or_else(|| panic!("no {statement} in {section}")).trim_start();
    let fact = line.split_once("  # ").expect("a place").0;
    fact.split_once(' ').map_or("", |f| f.1).to_string()
}

fn facts(file: &str) -> Vec<Fact> {
    facts_of(&analyzed(file))
}

fn facts_of(text: &str) -> Vec<Fact> {
    let mut thread = String::new();
    let mut result = vec![];
    for line in text.lines().take_while(|l| !l.is_empty()) {
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
    let file = "wilhelm_p3_1.c";
    // Nobody asks for y, so that it takes no part.
    let sliced = facts(file);
    assert_eq!(begins(&sliced, "thread1"), [19]);
    assert_eq!(begins(&sliced, "thread3"), [0; 0]);
    // As in the thesis, which does not slice.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/c").join(file);
    let source = std::fs::read_to_string(source).expect("it is there");
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&all, source.replace("x != 11", "x != 11 || y != 0")).expect("a directory");
    let facts = facts_of(&analyzed_file(&all));
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

#[test]
fn lock_acquisition_patterns_of_kahlon() {
    // Figure 1: T2 needs lk for its way to every access of x, until it is past its section.
    let text = analyzed("kahlon_figure1_interference.c");
    let ways = |thread: &str, statement: &str, object: &str| {
        let all = said(&text, &format!("ways of {thread}"), statement);
        let found = all.split("; ").find_map(|w| w.strip_prefix(&format!("{object} ")));
        found.unwrap_or("none").to_string()
    };
    assert_eq!(ways("thread2", "z = 5", "x"), "any {lk} write {lk}");
    assert_eq!(ways("thread2", "x = 2;", "x"), "any {} write {}");
    assert_eq!(ways("thread2", "x = 6;", "x"), "any {} write {}");
    assert_eq!(ways("thread2", "return 0;", "x"), "none");
    // The last statement of T1 on x is its assertion, which only reads.
    assert_eq!(ways("thread1", "a = 0", "x"), "any {lk} write {lk}");
    // Figure 2: both locks, though the store itself is under one.
    let text = analyzed("kahlon_figure2.c");
    let ways = |thread: &str, statement: &str| {
        let all = said(&text, &format!("ways of {thread}"), statement);
        all.split("; ").find_map(|w| w.strip_prefix("x ")).unwrap_or("none").to_string()
    };
    assert_eq!(ways("thread2", "b = 0"), "any {lk1, lk2} write {lk1, lk2}");
    assert_eq!(ways("thread2", "x = 1;"), "any {} write {}");
    assert_eq!(ways("thread1", "pthread_mutex_lock(&lk2);"), "any {lk2} write {lk2}");
}

#[test]
fn patterns_of_p1_1_count_the_ends_of_threads() {
    let text = analyzed("wilhelm_p1_1.c");
    let main = said(&text, "ways of main", "pthread_join(t3, 0);");
    assert!(main.contains("x any {end of thread3}"), "{main}");
    let main = said(&text, "ways of main", "pthread_join(t1, 0);");
    let all = "x any {end of thread1, end of thread2, end of thread3}";
    assert!(main.contains(all), "{main}");
    let two = said(&text, "ways of thread2", "thread2 starts");
    assert!(two.contains("x any {mx} write {mx}"), "{two}");
}

#[test]
fn mhp_1_as_in_the_thesis() {
    let text = analyzed("wilhelm_mhp_1.c");
    let to = |statement: &str| said(&text, "parallel to main", statement);
    let (before, everything) = ("thread2 [13]", "thread2 [13, 14, 15, 16, 17]");
    // mhp(1, 2) = {(l1, *), (*, l6), (*, l9), (l4, *)}; begin and end of a thread go with
    // everything.
    assert_eq!(to("pthread_create(&t2, 0, thread2, 0);"), before);
    assert_eq!(to("pthread_mutex_lock(&mx);"), everything);
    assert_eq!(to("x = 1;"), "thread2 [13, 14, 17]");
    assert_eq!(to("pthread_mutex_unlock(&mx);"), "thread2 [13, 14, 17]");
    assert_eq!(to("pthread_join(t2, 0);"), everything);
    assert_eq!(to("assert(x == 1 || x == 2)"), before);
}

#[test]
fn shared_data_is_shown_with_what_protects_it() {
    let shared = |file: &str| {
        let text = analyzed(file);
        let rest = text.split_once("\nshared data\n").expect("the section").1;
        rest.split_once("\nlock order\n").expect("the section").0.to_string()
    };
    assert_eq!(shared("race_counter_locked.c"), "  count: no race: always with m held\n");
    let open = shared("race_two_locks.c");
    assert!(open.starts_with("  count: may race: f at ") && open.contains(", g at "), "{open}");
    let order = shared("race_reads_only.c");
    assert!(order.lines().all(|l| l.contains(": no race: create and join")), "{order}");
    let phases = shared("phases.c");
    assert_eq!(phases.matches(": no race: create and join").count(), 2, "{phases}");
}

#[test]
fn threads_of_different_phases_do_not_meet() {
    let thread = |file: &str, thread: &str| -> Vec<char> {
        let all = facts(file);
        all.iter().filter(|f| f.thread == thread).map(|f| f.mover).collect()
    };
    // Nothing but the start and the end of a thread matters to others.
    assert!(!thread("phases.c", "add").contains(&'N'));
    assert!(!thread("phases.c", "high").contains(&'N'));
    assert!(thread("phases_one_join_forgotten.c", "add").contains(&'N'));
    assert!(thread("phases_one_join_forgotten.c", "high").contains(&'N'));
    assert!(!thread("phases_one_join_forgotten.c", "clear").contains(&'N'));
}

#[test]
fn the_order_of_mutexes_and_its_cycles() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("order.c");
    let text = "#include <pthread.h>\n\
        pthread_mutex_t a, b, c, d[2]; int x;\n\
        void *f(void *i) {\n\
        pthread_mutex_lock(&a);\n pthread_mutex_lock(&b);\n x++;\n\
        pthread_mutex_unlock(&b);\n pthread_mutex_unlock(&a);\n\
        pthread_mutex_lock(&c);\n pthread_mutex_lock(&d[x & 1]);\n x++;\n\
        pthread_mutex_unlock(&d[x & 1]);\n pthread_mutex_unlock(&c);\n return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        pthread_mutex_lock(&b);\n pthread_mutex_lock(&a);\n x++;\n\
        pthread_mutex_unlock(&a);\n pthread_mutex_unlock(&b);\n\
        pthread_join(t, 0); return 0; }\n";
    std::fs::write(&file, text).expect("written");
    let found = overview(&file);
    let order: Vec<(&str, &str, bool, bool)> = found
        .lock_order
        .iter()
        .map(|n| (n.held.as_str(), n.taken.as_str(), n.certain, n.cyclic))
        .collect();
    let expected = [
        ("a", "b", true, true),
        ("b", "a", true, true),
        ("c", "d[0]", false, false),
        ("c", "d[1]", false, false),
    ];
    assert_eq!(order, expected);
    assert!(found.lock_order[0].places[0].1.ends_with("order.c:5"), "{found:?}");
    let dot = dot_overview(&found);
    assert!(dot.contains("\"b\" -> \"a\" [style=solid, color=red, label=\"main at "), "{dot}");
    assert!(dot.contains("\"c\" -> \"d[1]\" [style=dashed, color=black, "), "{dot}");
    let json: serde_json::Value = serde_json::from_str(&json_overview(&found)).expect("JSON");
    assert_eq!(json["lock_order"][0]["cyclic"], true);
    assert_eq!(json["threads"][1]["name"], "f");
}

/// The queues of independent modules, each in an array of structs of a pointer and two numbers,
/// under a lock of its own: a pointer of one never reaches the elements of another. If it seemed
/// to, circuits would grow with the square of the program.
#[test]
fn pointers_of_independent_modules_are_kept_apart() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/large-program");
    let program = std::process::Command::new(script).arg("300").output().expect("python3");
    assert!(program.status.success(), "{program:?}");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("modules.c");
    std::fs::write(&file, program.stdout).expect("written");
    let text = analyzed_file(&file);
    for k in 0..4 {
        let line = format!("\n  slots{k}: no race: always with mutex{k} held\n");
        assert!(text.contains(&line), "{text}");
    }
}
