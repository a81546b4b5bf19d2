//! The command line: bad input, reports, exported models and witnesses.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::latchwork;

const SPIN: &str = "testdata/c/ltl_handoff_spin.c";

#[test]
fn bad_input_is_refused_with_its_column() {
    for (args, message) in [
        (&["--ltl", "F (x"][..], "error: ltl:F (x:4: no variable `x` in the program\n"),
        (&["--ltl", "F turn &&"], "error: ltl:F turn &&:10: expected a value\n"),
        (&["--ltl", "F nobody@here"], "no thread `nobody`"),
        (&["--fair"], "--fair and --fair-locks are about formulas: give one with --ltl"),
        (&["--property", "ltl,unfair:F turn"], "no property `ltl,unfair:F turn`"),
    ] {
        let run = latchwork(&[&["check", SPIN], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}\n{run}");
        assert!(run.stderr.contains(message), "{args:?}\n{run}");
    }
    let two = ["--ltl", "F turn", "--ltl", "F ended(even)", "--to", "aag", "-o", "/nowhere/m.aag"];
    let run = latchwork(&[&["export", SPIN][..], &two].concat());
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("ask for one property at a time"), "{run}");
}

#[test]
fn next_is_warned_of() {
    let run = latchwork(&["check", SPIN, "--ltl", "X true || X turn == 0", "--timeout", "60"]);
    assert_eq!(run.code, Some(0), "{run}");
    let run = latchwork(&["check", SPIN, "--ltl", "X turn == 0", "--timeout", "60"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.starts_with("warning: X in `X turn == 0`"), "{run}");
}

#[test]
fn json_has_stem_and_loop() {
    let args = ["--ltl", "F turn == 1", "--format", "json", "--timeout", "60"];
    let run = latchwork(&[&["check", SPIN][..], &args].concat());
    assert_eq!(run.code, Some(10), "{run}");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let property = &report["properties"][0];
    assert_eq!(property["name"], "ltl:F turn == 1");
    let circuits = report["circuits"].as_array().expect("a list");
    let own = circuits.iter().find(|c| c["properties"][0] == "ltl:F turn == 1");
    assert!(own.expect("it has one")["statistics"]["latches"].as_u64() > Some(3), "{run}");
    let violation = &property["violations"][0];
    assert!(violation["trace"].is_array() && violation["loop"].is_array(), "{run}");
}

#[test]
fn the_explorer_answers_and_shows() {
    for (args, code) in [(&["--fair"][..], 0), (&[], 10)] {
        let run = latchwork(&[&["explore", SPIN, "--ltl", "F ended(main)"], args].concat());
        assert_eq!(run.code, Some(code), "{run}");
        assert_eq!(run.stdout.contains("and then for ever:\n"), code == 10, "{run}");
    }
}

#[test]
fn witnesses_come_back() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| dir.path().join(name).display().to_string();
    let witness = file("w.cex");
    let check = ["check", SPIN, "--ltl", "F ended(main)", "--witness", &witness];
    assert_eq!(latchwork(&check).code, Some(10));
    let run = latchwork(&["replay", SPIN, "--witness", &witness]);
    assert_eq!(run.code, Some(10), "{run}");
    assert!(run.stdout.contains("and then for ever:\n"), "{run}");
    // A frame is missing.
    let text = fs::read_to_string(&witness).expect("the witness");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(lines.len() - 2);
    fs::write(&witness, lines.join("\n") + "\n").expect("the witness");
    let run = latchwork(&["replay", SPIN, "--witness", &witness]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("no property is violated on this run"), "{run}");
}

/// ABC decides the exported bad state, and its counterexample is a lasso of the program.
#[test]
fn abc_decides_exported_formulas() {
    let Some(abc) =
        ["/usr/bin/berkeley-abc", "/usr/bin/abc"].into_iter().find(|p| Path::new(p).exists())
    else {
        return;
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| dir.path().join(name).display().to_string();
    for (fair, holds) in [(true, true), (false, false)] {
        let (model, witness) = (file("m.aig"), file("m.cex"));
        let mut args = vec!["export", SPIN, "--ltl", "F ended(main)", "--to", "aig"];
        args.extend(["--liveness", "l2s", "-o", &model]);
        args.extend(fair.then_some("--fair"));
        let run = latchwork(&args);
        assert_eq!(run.code, Some(0), "{run}");
        let engine = if holds { "pdr -T 60" } else { "bmc3 -F 60 -T 60" };
        let script = format!("read_aiger {model}; {engine}; print_status; write_cex -a {witness}");
        let output = Command::new(abc).args(["-q", &script]).output().expect("ABC starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let status = if holds { "Status = 1" } else { "Status = 0" };
        assert!(text.contains(status), "{text}");
        if !holds {
            let map = file("m.map.json");
            let run = latchwork(&["replay", SPIN, "--witness", &witness, "--map", &map]);
            assert_eq!(run.code, Some(10), "{run}");
            assert!(run.stdout.contains("and then for ever:\n"), "{run}");
        }
    }
}

#[test]
fn justice_is_exported_in_every_form() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| dir.path().join(name).display().to_string();
    let (aag, btor2, smv) = (file("m.aag"), file("m.btor2"), file("m.smv"));
    for (to, path) in [("aag", &aag), ("btor2", &btor2), ("smv", &smv)] {
        let ltl = ["--ltl", "F ended(main)", "--fair"];
        let run = latchwork(&[&["export", SPIN, "--to", to, "-o", path], &ltl[..]].concat());
        assert_eq!(run.code, Some(0), "{run}");
    }
    assert!(fs::read_to_string(&smv).expect("the model").contains("LTLSPEC NAME"));
    for model in [&aag, &btor2] {
        let run = latchwork(&["solve", model, "--timeout", "60"]);
        assert_eq!(run.code, Some(0), "{run}");
        assert!(run.stdout.starts_with("j0 ltl: SAFE"), "{run}");
    }
    let run = latchwork(&[
        "export",
        SPIN,
        "--ltl",
        "F turn",
        "--to",
        "smv",
        "--liveness",
        "l2s",
        "-o",
        &smv,
    ]);
    assert_eq!(run.code, Some(2), "{run}");
}
