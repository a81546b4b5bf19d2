//! Bad input ends in one clear message and exit code 2: no panic, no verdict, no output file.

mod common;

use common::{Run, for_all, latchwork, testdata};
use std::fs;
use std::path::Path;

/// File below `testdata/bad`, the place that the message names, and words that it has.
const FILES: [(&str, &str, &[&str]); 30] = [
    ("alignment.c", "alignment.c:3:", &["power of two"]),
    ("atomic_arguments.c", "atomic_arguments.c:4:12", &["wrong number", "__sync_fetch_and_add"]),
    ("atomic_member.c", "atomic_member.c:6:12", &["_Atomic struct", "left"]),
    ("barrier_arguments.c", "barrier_arguments.c:7:5", &["2 arguments where 3 are needed"]),
    ("cancellation.c", "cancellation.c:11:5", &["pthread_cancel"]),
    ("conflicting_kinds.c", "conflicting_kinds.c:3:12", &["only one is thread-local"]),
    ("empty.c", "", &["no function `main`"]),
    ("float_to_int.c", "float_to_int.c:3:", &["floating-point"]),
    ("floating_point.c", "floating_point.c:2:16", &["floating-point"]),
    ("garbage.c", "garbage.c", &[]),
    ("goto_nowhere.c", "goto_nowhere.c:2:", &["end"]),
    ("heap_too_large.c", "heap_too_large.c:3:18", &["more than 4096 scalars", "allocate less"]),
    ("initialised_array.c", "initialised_array.c:2:9", &["no initialiser"]),
    ("inline_assembly.c", "inline_assembly.c:4:5", &["inline assembly"]),
    ("library_arguments.c", "library_arguments.c:6:5", &["wrong arguments", "strcpy"]),
    (
        "lock_without_mutex.c",
        "lock_without_mutex.c:3:5",
        &["wrong arguments", "pthread_mutex_lock"],
    ),
    ("missing_header.c", "missing_header.c:2:10", &["no_such_header.h"]),
    ("no_main.c", "", &["no function `main`"]),
    ("overflow_result.c", "overflow_result.c:3:12", &["integer type"]),
    ("printed_arguments.c", "printed_arguments.c:4:5", &["needs 2 arguments"]),
    ("printed_format.c", "printed_format.c:4:5", &["%p"]),
    ("scanned_text.c", "scanned_text.c:5:17", &["scanf"]),
    ("setjmp.c", "setjmp.c:6:", &["setjmp"]),
    ("syntax_error.c", "syntax_error.c:4:16", &[]),
    ("thread_address.c", "thread_address.c:3:", &["thread-local"]),
    ("too_few_arguments.c", "too_few_arguments.c:6:5", &["1 arguments where 2 are needed"]),
    ("truncated.i", "short.c:4:25", &["never closed"]),
    ("undeclared_function.c", "undeclared_function.c:3:16", &["measure"]),
    ("undeclared_variable.c", "undeclared_variable.c:2:12", &["counter"]),
    ("unknown_function.c", "unknown_function.c:5:16", &["measure"]),
];

/// What is wrong with a run that should end in one message with `place` and `words`.
fn compare(run: &Run, place: &str, words: &[&str]) -> Result<(), String> {
    let errors = run.stderr.lines().filter(|line| line.contains("error: ")).count();
    let faults = [
        (run.code != Some(2), "not exit code 2".to_owned()),
        (!run.stdout.is_empty(), "something on stdout".to_owned()),
        (errors != 1, format!("{errors} errors")),
        (run.stderr.contains("panicked"), "a panic".to_owned()),
        (!run.stderr.contains(place), format!("the message does not name {place}")),
        (
            !words.iter().all(|word| run.stderr.contains(word)),
            format!("the message does not say {words:?}"),
        ),
    ];
    match faults.into_iter().find(|(wrong, _)| *wrong) {
        Some((_, fault)) => Err(format!("{fault}\n{run}")),
        None => Ok(()),
    }
}

#[test]
fn each_bad_program_gives_one_message() {
    let listed: Vec<_> =
        FILES.iter().map(|(file, ..)| Path::new("testdata/bad").join(file)).collect();
    assert_eq!(testdata("bad"), listed);
    let dir = tempfile::tempdir().expect("a temporary directory");
    for_all(&FILES, |(file, place, words)| {
        let input = format!("testdata/bad/{file}");
        let output = dir.path().join(file).with_extension("aig");
        let export = ["export", &input, "--to", "aig", "-o", &output.to_string_lossy()];
        for run in [latchwork(&["check", &input]), latchwork(&export)] {
            compare(&run, place, words).map_err(|fault| format!("{file}: {fault}"))?;
        }
        Ok(())
    });
    assert_eq!(
        fs::read_dir(dir.path()).expect("the directory").count(),
        0,
        "an output file is left"
    );
}

/// A file, another one that contradicts it, what they disagree on, and the place in the first.
const CONTRADICTIONS: [(&str, &str, &str, &str); 14] = [
    ("int x;", "long x;", "`x`", "1:5"),
    ("extern int x;", "unsigned x = 1;", "`x`", "1:12"),
    ("int *x;", "int **x;", "`x`", "1:6"),
    ("int x = 1;", "int x = 1;", "`x` is defined twice", "1:5"),
    ("int x[3];", "extern int x[4];", "`x`", "1:5"),
    ("struct s { int a; } x;", "extern struct s { long a; } x;", "`x`", "1:21"),
    ("int f(int x) { return x; }", "long f(int x);", "`f`", "1:5"),
    ("int f(int x);", "int f(int x, int y) { return x; }", "`f`", "1:5"),
    ("int f(int x);", "int f(char *x) { return *x; }", "`f`", "1:5"),
    ("int f(int x) { return x; }", "int f(int x) { return 0; }", "`f` is defined twice", "1:5"),
    ("int f(void);", "int f = 1;", "`f`", "1:5"),
    ("int f;", "int f(void) { return 1; }", "`f`", "1:5"),
    (
        "struct s { int a; }; int f(struct s *p);",
        "struct s { int a, b; }; int f(struct s *p) { return p->b; }",
        "`f`",
        "1:26",
    ),
    (
        "struct s { int a; }; void f(struct s p);",
        "struct s { char *a; }; void f(struct s p) {}",
        "`f`",
        "1:27",
    ),
];

#[test]
fn files_that_contradict_each_other() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let main = dir.path().join("main.c").display().to_string();
    fs::write(&main, "int main(void) { return 0; }\n").expect("a new file");
    let cases: Vec<_> = CONTRADICTIONS.iter().zip(1..).collect();
    for_all(&cases, |((first, second, word, place), n)| {
        let [first, second] = [("first", first), ("second", second)].map(|(name, text)| {
            let path = dir.path().join(format!("{name}{n}.c"));
            fs::write(&path, format!("{text}\n")).expect("a new file");
            path.display().to_string()
        });
        let run = latchwork(&["check", &main, &first, &second]);
        let other = format!("first{n}.c:{place}");
        compare(&run, &format!("second{n}.c:1:"), &[word, &other])
    });
}

/// A call of each kind of modelled function with a wrong number of arguments.
const WRONG_CALLS: [&str; 37] = [
    "abs()",
    "aligned_alloc(8)",
    "atexit()",
    "calloc(1)",
    "cnd_wait(0)",
    "free()",
    "malloc()",
    "memcpy(0, 0)",
    "memset(0, 0)",
    "mtx_init(0)",
    "pthread_attr_init()",
    "pthread_barrier_init(0, 0)",
    "pthread_barrier_wait()",
    "pthread_cond_signal()",
    "pthread_cond_wait(0)",
    "pthread_create(0, 0, 0)",
    "pthread_detach()",
    "pthread_equal(1)",
    "pthread_exit()",
    "pthread_join(1)",
    "pthread_key_create(0)",
    "pthread_mutex_lock(0, 0)",
    "pthread_mutex_unlock()",
    "pthread_mutexattr_settype(0)",
    "pthread_once(0)",
    "pthread_rwlock_rdlock()",
    "pthread_self(1)",
    "pthread_spin_lock()",
    "pthread_tryjoin_np(1)",
    "realloc(0)",
    "sem_init(0, 0)",
    "sem_wait()",
    "snprintf(0, 0)",
    "strcmp(0)",
    "strlen()",
    "thrd_join(1)",
    "__VERIFIER_assume()",
];

#[test]
fn wrong_numbers_of_arguments() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for_all(&WRONG_CALLS, |call| {
        let name = call.split('(').next().unwrap_or("");
        let path = dir.path().join(format!("{name}.c"));
        let text = format!("int {name}();\nint main(void)\n{{\n    {call};\n}}\n");
        fs::write(&path, text).expect("a new file");
        let place = format!("{name}.c:4:5");
        compare(&latchwork(&["check", &path.display().to_string()]), &place, &[name])
            .map_err(|fault| format!("{call}: {fault}"))
    });
}

/// Assignments to what is const.
const CONSTANT_WRITES: [(&str, &str); 13] = [
    ("c = 2;", "c"),
    ("c++;", "c"),
    ("--c;", "c"),
    ("c += 1;", "c"),
    ("*p = 1;", "*p"),
    ("p[1] = 1;", "p[1]"),
    ("a[i] = 1;", "a[i]"),
    ("rows[1][i] = 1;", "rows[1][i]"),
    ("s.fixed = 1;", "s.fixed"),
    ("s = t;", "s"),
    ("t.inner.free = 1;", "t.inner.free"),
    ("q->array[i]++;", "q->array[i]"),
    ("q->bits = 1;", "q->bits"),
];

#[test]
fn assignments_to_constants() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let before = "typedef int row[2]; struct in { int free; };\n\
        struct s { const int fixed; int array[2], bits : 3; const struct in inner; };\n\
        const int c = 1, *p = &c, a[2] = {1, 2}; const row rows[2];\n\
        int main(void) { int i = 0; struct s s = {1}, t = s; const struct s *q = &s;\n";
    for_all(&CONSTANT_WRITES, |(statement, target)| {
        let file = format!("{}.c", statement.replace(|c: char| !c.is_alphanumeric(), "_"));
        let path = dir.path().join(&file);
        fs::write(&path, format!("{before}{statement}\n}}\n")).expect("a new file");
        let column = 1 + statement.find(target).expect("it is in the statement");
        let words = [&format!("`{target}` is assigned"), "const"];
        let run = latchwork(&["check", &path.display().to_string()]);
        compare(&run, &format!("{file}:5:{column}"), &words)
            .map_err(|fault| format!("{statement}: {fault}"))
    });
    // These are no such assignments.
    let path = dir.path().join("good.c");
    let good = "p = &a[1]; s.array[0] = s.bits = 1; int *const k = s.array; *k = 2; }\n";
    fs::write(&path, format!("{before}{good}")).expect("a new file");
    let run = latchwork(&["check", &path.display().to_string()]);
    assert_eq!(run.code, Some(0), "{run}");
}

#[test]
fn inputs_that_cannot_be_read() {
    for_all(&["testdata/nowhere.c", "testdata/nowhere.i", "testdata"], |file| {
        compare(&latchwork(&["check", file]), file, &[])
    });
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = "testdata/c/lost_update.c";
    let witness = dir.path().join("witness");
    fs::write(&witness, "not a witness\n").expect("a new file");
    let [witness, nowhere, there] = [witness, dir.path().join("nowhere"), dir.path().to_owned()]
        .map(|p| p.display().to_string());
    for (args, place) in [
        (["replay", source, "--witness", &witness], &witness),
        (["replay", source, "--witness", &nowhere], &nowhere),
        (["replay", source, "--witness", &there], &there),
    ] {
        compare(&latchwork(&args), place, &[]).expect("one message");
    }
}

#[test]
fn outputs_that_cannot_be_written() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for output in [dir.path().to_owned(), dir.path().join("nowhere").join("out.aig")] {
        let output = output.display().to_string();
        let run = latchwork(&["export", "testdata/c/lost_update.c", "--to", "aig", "-o", &output]);
        compare(&run, &output, &[]).expect("one message");
    }
    assert_eq!(
        fs::read_dir(dir.path()).expect("the directory").count(),
        0,
        "an output file is left"
    );
}

#[test]
fn wrong_usage() {
    let source = "testdata/c/lost_update.c";
    for_all(
        &[
            &["check"][..],
            &["chekc", source],
            &["check", source, "--no-such-option"],
            &["check", source, "--timeout", "soon"],
            &["check", source, "--memory", "-1"],
            &["check", source, "--property", "no-such-property"],
            &["check", source, "--engine", "no-such-engine"],
            &["check", source, "--data-model", "LP32"],
            &["check", source, "--thread", "no_such_function"],
            &["check", source, "--thread", "visit=many"],
            &["check", source, "--isr", "no_such_function"],
            &["check", source, "--isr", "visit=no_such_flag"],
            &["check", source, "--isr", "visit=main/no_such_function"],
            &["check", source, "--extern", "visit"],
            &["check", source, "--extern", "visit=perhaps"],
            &["check", source, "--mmio", "no_such_variable"],
            &["check", source, "--entry", "no_such_function"],
            &["check", source, "--format", "yaml"],
            &["export", source, "--to", "png", "-o", "/dev/null"],
            &["export", source, "--to", "aig"],
        ],
        |args| {
            let run = latchwork(args);
            let good = run.code == Some(2) && run.stdout.is_empty() && !run.stderr.is_empty();
            if good && !run.stderr.contains("panicked") {
                Ok(())
            } else {
                Err(format!("{args:?}\n{run}"))
            }
        },
    );
}
