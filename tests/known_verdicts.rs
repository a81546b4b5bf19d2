//! Every program of `testdata/c` states its verdicts in its first lines, and marks each line that
//! can fail:
//!
//! ```c
//! // assert: UNSAFE               one line for each property
//! // bounded: UNKNOWN             optional: an engine with a bound may fail to decide it
//! // because: --threads           optional: text that stands beside an UNKNOWN or a SAFE
//! // options: --entry reset       optional: what the program is checked with
//!     assert(x == 2); // FAIL
//! ```

mod common;
#[path = "common/header.rs"]
mod header;

use common::{Run, for_all, latchwork, testdata};
use header::header;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What the first lines of a program state.
struct Stated {
    /// Property and verdict.
    verdicts: Vec<(String, String)>,
    /// An engine with a bound may say UNKNOWN.
    bounded: bool,
    /// Text that stands beside an UNKNOWN or a SAFE.
    because: Option<String>,
    /// What the program is checked with.
    options: Vec<String>,
    /// The lines marked `// FAIL`.
    fails: BTreeSet<usize>,
}

impl Stated {
    fn read(file: &Path) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = fs::read_to_string(&path).expect("a program");
        let mut stated = Self {
            verdicts: Vec::new(),
            bounded: false,
            because: None,
            options: Vec::new(),
            fails: BTreeSet::new(),
        };
        for (key, value) in header(file) {
            match (key.as_str(), value.as_str()) {
                ("bounded", "UNKNOWN") => stated.bounded = true,
                ("because", _) => stated.because = Some(value),
                ("options", _) => stated.options = value.split(' ').map(str::to_owned).collect(),
                (_, "SAFE" | "UNSAFE" | "UNKNOWN") => stated.verdicts.push((key, value)),
                _ => break,
            }
        }
        assert!(!stated.verdicts.is_empty(), "{}: no verdict", file.display());
        let numbered = text.lines().zip(1..);
        stated.fails = numbered.filter(|(l, _)| l.ends_with("// FAIL")).map(|(_, n)| n).collect();
        let claims = stated.verdicts.iter().any(|(_, verdict)| verdict == "UNSAFE");
        assert_eq!(claims, !stated.fails.is_empty(), "{}: marks", file.display());
        stated
    }

    /// 10 if a property is UNSAFE, else 5 if one is UNKNOWN, else 0.
    fn code(&self, found: &[&str]) -> i32 {
        match () {
            () if found.contains(&"UNSAFE") => 10,
            () if found.contains(&"UNKNOWN") => 5,
            () => 0,
        }
    }

    fn compare(&self, file: &Path, run: &Run) -> Result<(), String> {
        let mut found = Vec::new();
        for (property, stated) in &self.verdicts {
            // What is asked may be more than what the line is about.
            let prefix = format!("{}: ", property.trim_end_matches(":local"));
            let line = run.stdout.lines().find_map(|line| line.strip_prefix(prefix.as_str()));
            let line = line.ok_or_else(|| format!("no line about {property}"))?;
            let verdict = line.split(' ').next().expect("split gives at least one");
            found.push(verdict);
            match verdict {
                "UNKNOWN" if self.bounded && stated != "UNKNOWN" => {
                    check(line.contains("depth"), "UNKNOWN without its depth")?;
                }
                _ => check(verdict == stated, &format!("stated: {property}: {stated}"))?,
            }
            match verdict {
                "UNSAFE" => {
                    check(lines_of(line, file) == self.fails, "other lines than marked")?;
                    self.trace(file, run)?;
                }
                _ => {
                    let because = self.because.as_deref().unwrap_or_default();
                    check(line.contains(because), "the stated text is missing")?;
                }
            }
        }
        check(run.code == Some(self.code(&found)), "wrong exit code")
    }

    /// Below the line about the property, each failing line is the end of a trace.
    fn trace(&self, file: &Path, run: &Run) -> Result<(), String> {
        for fail in &self.fails {
            let place = format!("{}:{fail}", name(file));
            let mentions = run.stdout.lines().filter(|line| line.contains(&place)).count();
            check(mentions >= 2, &format!("no trace that ends at {place}"))?;
        }
        Ok(())
    }
}

fn check(holds: bool, fault: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault.to_owned()) }
}

fn name(file: &Path) -> String {
    file.file_name().expect("a file").to_string_lossy().into_owned()
}

/// The lines of `file` that `text` names as `file:line`.
fn lines_of(text: &str, file: &Path) -> BTreeSet<usize> {
    let name = format!("{}:", name(file));
    let places = text.match_indices(&name).map(|(at, _)| &text[at + name.len()..]);
    places
        .filter_map(|rest| {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse().ok()
        })
        .collect()
}

/// Checks the program and compares with what it states; then replays the witness, if there is one.
fn compare(file: &Path, args: &[&str]) -> Result<(), String> {
    let stated = Stated::read(file);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let witness = dir.path().join("witness").to_string_lossy().into_owned();
    // An undecided program need not use up the time of the whole suite.
    let seconds = if stated.bounded { "3" } else { "60" };
    let limits = ["--timeout", seconds, "--memory", "1024"];
    let implicit = ["undefined", "bound-reached", "atomic-blocked"];
    let asked = stated.verdicts.iter().map(|(property, _)| property.as_str());
    let asked: Vec<&str> = asked
        .filter(|property| !implicit.contains(property))
        .flat_map(|property| ["--property", property])
        .collect();
    let args: Vec<&str> =
        args.iter().copied().chain(stated.options.iter().map(String::as_str)).collect();
    let args = args.as_slice();
    let run =
        latchwork(&[&["check"][..], args, &asked, &limits, &["--witness", &witness]].concat());
    let mut result = stated.compare(file, &run).map_err(|fault| format!("{fault}\n{run}"));
    if result.is_ok() && run.code == Some(10) {
        let replay = latchwork(&[&["replay"][..], args, &["--witness", &witness]].concat());
        result = check(replay.code == Some(10), "the witness does not replay")
            .map_err(|fault| format!("{fault}\n{replay}"));
    }
    result.map_err(|fault| format!("{}: {fault}", file.display()))
}

#[test]
fn programs_have_their_stated_verdicts() {
    let mut files = testdata("c");
    files.extend(testdata("regress"));
    // Those are about formulas, see tests/ltl.
    files.retain(|file| !name(file).starts_with("ltl_"));
    files.extend(testdata("firmware"));
    assert!(files.len() >= 30, "{} programs", files.len());
    for_all(&files, |file| compare(file, &[&file.to_string_lossy()]));
}

#[test]
fn several_files_make_one_program() {
    let main = Path::new("testdata/multi/main.c");
    let args = ["testdata/multi/main.c", "testdata/multi/worker.c", "-I", "testdata/multi"];
    for more in [&[][..], &["-D", "STEP=3"], &["--data-model", "LP64"]] {
        compare(main, &[&args, more].concat()).expect("the stated verdict");
    }
}

#[test]
fn a_preprocessed_file_has_the_verdict_of_its_source() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["lost_update", "account_transfer_locked"] {
        let source = Path::new("testdata/c").join(name).with_extension("c");
        let preprocessed = dir.path().join(name).with_extension("i");
        let done = std::process::Command::new("cc")
            .current_dir(root)
            .args(["-std=gnu11", "-E"])
            .args([&source, Path::new("-o"), &preprocessed])
            .status()
            .expect("the C compiler starts");
        assert!(done.success());
        compare(&source, &[&preprocessed.to_string_lossy()]).expect("the stated verdict");
    }
}

#[test]
fn a_comparison_finds_what_is_wrong() {
    let file = Path::new("testdata/c/lost_update.c");
    let stated = Stated::read(file);
    let run = |code, stdout: &str| Run { code, stdout: stdout.to_owned(), stderr: String::new() };
    let line = stated.fails.first().expect("a mark");
    let good = format!("assert: UNSAFE at lost_update.c:{line}\n7 main lost_update.c:{line} x\n");
    assert_eq!(stated.compare(file, &run(Some(10), &good)), Ok(()));
    for (code, stdout) in [
        (Some(0), good.clone()),
        (None, good.clone()),
        (Some(0), String::new()),
        (Some(0), "assert: SAFE (bmc, 0.41 s)\n".to_owned()),
        (Some(5), "assert: UNKNOWN (timeout 60 s, depth 3)\n".to_owned()),
        (Some(10), format!("assert: UNSAFE at lost_update.c:{line}\n")),
        (Some(10), good.replace(&format!(":{line}\n"), ":1\n")),
    ] {
        let result = stated.compare(file, &run(code, &stdout));
        assert!(result.is_err(), "{code:?}: {stdout}");
    }
    let waits = Path::new("testdata/c/no_spurious_wakeup.c");
    let safe = |text| Stated::read(waits).compare(waits, &run(Some(0), text));
    assert_eq!(safe("assert: SAFE (bmc, 0.41 s) (without spurious wake-ups)\n"), Ok(()));
    assert!(safe("assert: SAFE (bmc, 0.41 s)\n").is_err());
    let open = Path::new("testdata/c/bubble_sort_4_locked.c");
    let unknown = |text| Stated::read(open).compare(open, &run(Some(5), text));
    assert_eq!(unknown("assert: UNKNOWN (timeout 3 s, depth 30)\n"), Ok(()));
    assert!(unknown("assert: UNKNOWN (timeout 3 s)\n").is_err());
}

/// Each kind of property has its programs, violated and not.
#[test]
fn every_kind_has_programs() {
    let files = testdata("c");
    let of = |prefixes: &[&str]| -> (usize, usize) {
        let own: Vec<_> = files
            .iter()
            .filter(|file| prefixes.iter().any(|prefix| name(file).starts_with(prefix)))
            .collect();
        let violated = own.iter().filter(|file| header(file).iter().any(|(_, v)| v == "UNSAFE"));
        (own.len(), violated.count())
    };
    for (prefixes, least) in [
        (&["race_"][..], 20),
        (&["deadlock_", "local_"], 20),
        (&["misuse_"], 8),
        (&["overflow_"], 6),
        (&["memory_"], 6),
        (&["ltl_"], 12),
    ] {
        let (all, violated) = of(prefixes);
        assert!(all >= least, "{prefixes:?}: {all} programs");
        assert!(3 * violated >= all, "{prefixes:?}: {violated} of {all} violated");
        assert!(3 * (all - violated) >= all || prefixes == ["ltl_"], "{prefixes:?}: {violated}");
    }
}

#[test]
fn local_deadlocks_are_looked_for_where_asked() {
    let file = "testdata/c/local_circle_unseen.c";
    for command in ["check", "explore"] {
        let run = latchwork(&[command, file, "--property", "deadlock"]);
        assert_eq!(run.code, Some(0), "{run}");
        let args = [command, file, "--local-deadlocks"];
        let run = latchwork(&[&args[..], &["--property", "deadlock"]].concat());
        assert_eq!(run.code, Some(10), "{run}");
        assert!(run.stdout.contains("deadlock: UNSAFE at "), "{run}");
        let circle = "  and then, whatever others do, for ever:
    there waits at testdata/c/local_circle_unseen.c:7: pthread_mutex_lock(&b); (held by back)
    back waits at testdata/c/local_circle_unseen.c:12: pthread_mutex_lock(&a); (held by there)\n";
        assert!(run.stdout.contains(circle), "{run}");
        let run = latchwork(&[&args[..], &["--property", "assert", "--format", "json"]].concat());
        assert_eq!(run.code, Some(10), "{run}");
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(report["properties"][1]["name"], "deadlock");
        let waiting = &report["properties"][1]["violations"][0]["waiting"];
        assert_eq!(waiting.as_array().map(Vec::len), Some(2), "{run}");
    }
}

/// `--first` stops at a violation, not where a bound is too low.
#[test]
fn a_reached_bound_is_no_violation_to_stop_at() {
    for engine in ["bmc", "ic3", "sim", "auto"] {
        let file = "testdata/c/main_arguments_missing.c";
        let run = latchwork(&["check", file, "--first", "--quiet", "--engine", engine]);
        assert_eq!(run.code, Some(10), "{engine}: {run}");
        assert!(run.stdout.contains("undefined: UNSAFE at "), "{engine}: {run}");
    }
}
