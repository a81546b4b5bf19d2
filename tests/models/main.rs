//! `solve` on model files, and what is exported in word-level forms: verdicts, witnesses, bad
//! input.

#[path = "../common/mod.rs"]
mod common;
mod parts;
#[path = "../common/skip.rs"]
mod skip;

use common::{Run, for_all, latchwork, testdata};
use serde_json::Value;
use skip::skipped;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A counter of two bits that is bad at three; 1.9 with a symbol.
const COUNTER: &str = "aag 8 1 2 0 5 1\n2\n4 11\n6 17\n16\n8 4 2\n10 5 3\n12 6 8\n14 7 9\n16 6 4\n\
                       b0 three\n";

fn write(dir: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = dir.join(name);
    fs::write(&path, bytes).expect("a new file");
    path.display().to_string()
}

fn expect(run: &Run, code: i32, lines: &[&str]) {
    assert_eq!(run.code, Some(code), "{run}");
    let starts: Vec<&str> = run.stdout.lines().filter(|l| !l.starts_with('(')).collect();
    assert_eq!(starts.len(), lines.len(), "{run}");
    for (line, start) in starts.iter().zip(lines) {
        assert!(line.starts_with(start), "{run}");
    }
}

#[test]
fn verdicts_and_exit_codes() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let solve = |name: &str, text: &str, more: &[&str]| {
        let model = write(dir.path(), name, text);
        latchwork(&[&["solve", model.as_str()][..], more].concat())
    };
    // A latch that starts at 0 and is set by an input; one that stays 0; both as in AIGER 1.0.
    let old = "aag 3 1 2 2 0\n2\n4 2\n6 6\n4\n6\n";
    expect(&solve("old.aag", old, &[]), 10, &["b0: UNSAFE at depth 1 (", "b1: SAFE ("]);
    let safe = old.replace("aag 3 1 2 2 0", "aag 3 1 2 1 0").replace("6 6\n4\n6", "6 6\n6");
    expect(&solve("safe.aag", &safe, &[]), 0, &["b0: SAFE ("]);
    let btor2 = "1 sort bitvec 8\n2 zero 1\n3 state 1 n\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n\
                 7 next 1 3 6\n8 constd 1 200\n9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10 at_200\n";
    let bmc = ["--engine", "bmc"];
    expect(&solve("n.btor2", btor2, &bmc), 10, &["b0 at_200: UNSAFE at depth 200 (bmc, "]);
    let stopped = solve("n.btor", btor2, &["--engine", "bmc", "--timeout", "0.000001"]);
    expect(&stopped, 5, &["b0 at_200: UNKNOWN (timeout 0.000001 s)"]);
    // An unnamed suffix, and a file that has one of each.
    let justice = "aag 2 1 1 0 0 1 0 1\n2\n4 2\n4\n1\n4\nj0 again\n";
    let both = solve("both.model", justice, &[]);
    expect(&both, 10, &["b0: UNSAFE at depth 1 (", "j0 again: UNSAFE by a loop over frames "]);
}

#[test]
fn reports_and_witnesses() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let model = write(dir.path(), "counter.aag", COUNTER);
    let file = |name: &str| dir.path().join(name).display().to_string();
    let (witness, vcd) = (file("w.cex"), file("w.vcd"));
    let args = ["solve", &model, "--witness", &witness, "--vcd", &vcd, "--format", "json"];
    let run = latchwork(&[&args[..], &["--engine", "bmc"]].concat());
    assert_eq!(run.code, Some(10), "{run}");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let property = &report["properties"][0];
    assert_eq!((&property["verdict"], &property["name"]), (&"UNSAFE".into(), &"three".into()));
    let steps = property["trace"]["inputs"].as_array().expect("a trace").len();
    assert_eq!(property["depth"], (steps - 1) as u64);
    let text = fs::read_to_string(witness).expect("the witness");
    assert_eq!(text.lines().count(), steps + 4, "{text}");
    assert!(text.starts_with("1\nb0\n00\n") && text.ends_with("\n.\n"), "{text}");
    let waves = fs::read_to_string(vcd).expect("the dump");
    assert!(waves.contains("$var wire 1 ") && waves.contains(" three $end"), "{waves}");
}

/// Suffix, contents, and what stands behind the file's name in the message.
const BAD_MODELS: &[(&str, &[u8], &str)] = &[
    ("aag", b"", ":1: not an AIGER file"),
    ("aag", b"aag 1 1 0 0\n", ":1: expected a space"),
    ("aag", b"aag 1 1 0 1 0\n2\n", ":3: expected a number"),
    ("aag", b"aag 4294967296 0 0 0 0\n", ":1: a number is above"),
    ("aag", b"aag 2000000000 1999999999 0 1 0\n2\n", ":3: expected a number"),
    ("aag", b"aag 1 2 0 0 0\n2\n2\n", ":1: the maximum variable"),
    ("aag", b"aag 3 1 0 1 2\n2\n6\n4 2 6\n6 4 2\n", ":5: and 4 depends on itself"),
    ("aag", b"aag 3 1 0 1 1\n2\n6\n4 2 2\n", ":3: literal 6 is not defined"),
    ("aag", b"aag 1 1 0 1 0\n2\n9\n", ":3: literal 9 is above"),
    ("aag", b"aag 2 1 0 1 1\n2\n4\n2 2 2\n", ":4: literal 2 is defined twice"),
    ("aag", b"aag 1 1 0 0 0 1\n2\n2\ni0 \xc3\xa9\n", ":4: `\\xc3` in a symbol"),
    ("aag", b"aag 1 1 0 0 0\n2\n", ": the model has no property"),
    ("aig", b"aig 3 1 1 1 1\n", ": byte "),
    ("aig", b"aig 2 1 0 1 1\n4\n\x05\x00", ": byte 16: an and's operands"),
    ("aig", b"aig 1000000 0 0 0 1000000\n", ": byte "),
    ("aig", b"aig 4294967295 4294967295 0 0 0\n", ": byte "),
    ("btor2", b"hello\n", ":1: expected the line's number"),
    ("btor2", b"1 sort bitvec 4\n2 input 1\n3 add 1 2", ":3: expected the number of a node"),
    ("btor2", b"1 sort bitvec 4\n3 input 1\n2 input 1\n", ":3: number 2 is not above 3"),
    ("btor2", b"1 sort bitvec 4\n2 not 1 3\n3 not 1 2\n", ":2: no node 3"),
    ("btor2", b"1 sort bitvec 4\n2 input 1\n3 eq 1 2 2\n", ":3: the result has width 1"),
    ("btor2", b"1 sort bitvec 4\n2 input 1\n3 bad 2\n", ":3: a property has width 4"),
    ("btor2", b"1 sort bitvec 4000000000\n", ":1: bit-vectors of width 4000000000"),
    ("btor2", b"1 sort bitvec 64\n2 sort array 1 1\n", ":2: arrays with an index of 64 bits"),
    ("btor2", b"1 sort bitvec 1\n2 input 1 \xc3\xa9\n", ":2: `\\xc3` is not printable"),
    ("btor2", b"1 sort bitvec 1\n2 justice 99999999999\n", ":2: expected the number of a node"),
    ("btor", b"; nothing\n", ": the model has no property"),
    ("txt", b"anything\n", ": neither AIGER"),
];

#[test]
fn bad_models_are_refused_with_their_place() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let numbered: Vec<_> = BAD_MODELS.iter().enumerate().collect();
    for_all(&numbered, |(k, (suffix, bytes, place))| {
        let model = write(dir.path(), &format!("m{k}.{suffix}"), bytes);
        let run = latchwork(&["solve", &model]);
        let wanted = format!("error: {model}{place}");
        let one_line = run.stderr.lines().count() == 1 && run.stderr.starts_with(&wanted);
        if run.code == Some(2) && run.stdout.is_empty() && one_line {
            Ok(())
        } else {
            Err(format!("wanted `{wanted}`\n{run}"))
        }
    });
    let nowhere = dir.path().join("nowhere.aig").display().to_string();
    let run = latchwork(&["solve", &nowhere]);
    assert!(run.code == Some(2) && run.stderr.contains(&nowhere), "{run}");
}

/// Programs whose circuits are small enough for every engine; their first lines state verdicts.
const PROGRAMS: [&str; 6] = [
    "lost_update",
    "peterson_spin",
    "atomic_section",
    "store_buffering",
    "trylock_busy",
    "message_passing",
];

/// Whether a run of `check` or `solve` proved everything, or refuted something.
fn safe(run: &Run) -> Option<bool> {
    match run.code {
        Some(0) => Some(true),
        Some(10) => Some(false),
        _ => None,
    }
}

/// The NuSMV of this machine: `LATCHWORK_NUSMV`, or what scripts/build-nusmv has built.
fn nusmv() -> Option<PathBuf> {
    let named = std::env::var_os("LATCHWORK_NUSMV").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let built = home.map(|home| home.join(".cache/latchwork/bin/NuSMV"));
    named.or(built).filter(|path| path.exists())
}

/// Whether NuSMV finds all invariants true, and its first trace.
fn run_nusmv(nusmv: &Path, dir: &Path) -> Result<(bool, Option<String>), String> {
    let script = "set on_failure_script_quits 1\nset dynamic_reorder 1\nread_model -i m.smv\ngo\n\
                  check_invar\nshow_traces -p 4 -o trace.xml 1\nquit\n";
    fs::write(dir.join("script"), script).expect("a new file");
    let output = Command::new("timeout")
        .args(["60".as_ref(), nusmv.as_os_str(), "-source".as_ref(), "script".as_ref()])
        .current_dir(dir)
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let verdicts: Vec<&str> = text.lines().filter(|l| l.starts_with("-- invariant")).collect();
    if verdicts.is_empty() {
        return Err(format!("no verdict:\n{text}{}", String::from_utf8_lossy(&output.stderr)));
    }
    let safe = verdicts.iter().all(|line| line.trim_end().ends_with("is true"));
    Ok((safe, fs::read_to_string(dir.join("trace.xml")).ok()))
}

/// Replays a witness on the program; the map file is that of the model.
fn replays(source: &str, witness: &Path, map: &Path) -> Result<(), String> {
    let [witness, map] = [witness, map].map(|p| p.display().to_string());
    let vcd = witness.clone() + ".vcd";
    let run = latchwork(&["replay", source, "--witness", &witness, "--map", &map, "--vcd", &vcd]);
    if run.code != Some(10) {
        return Err(run.to_string());
    }
    let waves = fs::read_to_string(vcd).map_err(|e| e.to_string())?;
    if waves.contains("$scope module main $end") { Ok(()) } else { Err(waves) }
}

fn compare(source: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| dir.path().join(name);
    let run = latchwork(&["check", source, "--property", "assert", "--quiet", "--timeout", "60"]);
    let Some(expected) = safe(&run) else { return Err(run.to_string()) };
    for (form, model) in [("btor2", "m.btor2"), ("smv", "m.smv")] {
        let out = file(model).display().to_string();
        let run = latchwork(&["export", source, "--property", "assert", "--to", form, "-o", &out]);
        if run.code != Some(0) {
            return Err(run.to_string());
        }
    }
    let [model, witness] = ["m.btor2", "w"].map(|n| file(n).display().to_string());
    let run = latchwork(&["solve", &model, "--witness", &witness, "--timeout", "60"]);
    if safe(&run) != Some(expected) {
        return Err(run.to_string());
    }
    let map = file("m.map.json");
    if !expected {
        replays(source, &file("w"), &map)?;
    }
    let Some(nusmv) = nusmv() else {
        skipped("no NuSMV (scripts/build-nusmv builds it)");
        return Ok(());
    };
    let (found, trace) = run_nusmv(&nusmv, dir.path())?;
    if found != expected {
        return Err(format!("NuSMV says safe: {found}"));
    }
    if !expected {
        fs::write(file("t"), trace.ok_or("no trace")?).expect("a new file");
        replays(source, &file("t"), &map)?;
    }
    Ok(())
}

#[test]
fn word_level_exports_keep_verdicts() {
    let files = testdata("c");
    let chosen: Vec<_> = files
        .iter()
        .filter(|file| file.file_stem().is_some_and(|name| PROGRAMS.iter().any(|p| *p == name)))
        .collect();
    assert_eq!(chosen.len(), PROGRAMS.len());
    for_all(&chosen, |file| {
        let file = file.to_string_lossy();
        compare(&file).map_err(|fault| format!("{file}: {fault}"))
    });
}

#[test]
fn forms_that_do_not_go_together() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("m.smv").display().to_string();
    let source = "testdata/c/lost_update.c";
    let run = latchwork(&["export", source, "--to", "smv", "--outputs-as-bad", "-o", &out]);
    assert!(run.code == Some(2) && run.stderr.contains("AIGER only"), "{run}");
    assert_eq!(fs::read_dir(dir.path()).expect("the directory").count(), 0);
    let vcd = dir.path().join("w.vcd").display().to_string();
    let run = latchwork(&["check", source, "--property", "assert", "--vcd", &vcd, "--quiet"]);
    assert_eq!(run.code, Some(10), "{run}");
    let waves = fs::read_to_string(&vcd).expect("the dump");
    assert!(waves.contains("$scope module visit#1 $end"), "{waves}");
}

#[test]
fn check_and_replay_dump_the_same_signals() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (witness, checked, replayed) = (path("w"), path("checked.vcd"), path("replayed.vcd"));
    let source = "testdata/c/lost_update.c";
    for reduction in ["none", "parallel-transactions"] {
        let check =
            ["check", source, "--property", "assert", "--reduction", reduction, "--engine", "bmc"];
        let run = latchwork(&[&check[..], &["--witness", &witness, "--vcd", &checked]].concat());
        assert_eq!(run.code, Some(10), "{run}");
        let run = latchwork(&["replay", source, "--witness", &witness, "--vcd", &replayed]);
        assert_eq!(run.code, Some(10), "{run}");
        let read = |path: &str| fs::read_to_string(path).expect("the dump");
        assert_eq!(read(&checked), read(&replayed), "--reduction {reduction}");
    }
}
