//! ABC reads the exported circuit of every program of `testdata/c`; where `check` finds a
//! violation, ABC's bounded model checker finds one at the same depth, and its witness replays
//! here.

mod common;
#[path = "common/skip.rs"]
mod skip;

use common::{for_all, latchwork, testdata};
use serde_json::Value;
use skip::skipped;
use std::path::Path;
use std::process::Command;

/// Name of the ABC binary on this machine.
fn abc() -> Option<&'static str> {
    ["berkeley-abc", "abc"].into_iter().find(|name| Command::new(name).arg("-h").output().is_ok())
}

/// ABC's output on a script that runs in `dir`.
fn run_abc(abc: &str, script: &str, dir: &Path) -> String {
    let output = Command::new(abc).args(["-q", script]).current_dir(dir).output();
    String::from_utf8_lossy(&output.expect("ABC starts").stdout).into_owned()
}

/// The number behind `key`.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = text.split_once(key)?.1.trim_start();
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The frame of the first violation that `check` finds, if it finds one in time.
fn first_violation(file: &str) -> Result<Option<u64>, String> {
    let bmc = ["--engine", "bmc", "--first", "--timeout", "4", "--format", "json"];
    let run = latchwork(&[&["check", file, "--property", "assert"][..], &bmc].concat());
    let report: Value = serde_json::from_str(&run.stdout).map_err(|e| format!("{e}\n{run}"))?;
    let properties = report["properties"].as_array().into_iter().flatten();
    let violated = properties.filter(|p| p["violations"].as_array().is_some_and(|v| !v.is_empty()));
    Ok(violated.filter_map(|p| p["depth"].as_u64()).min())
}

fn compare(abc: &str, file: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let model = dir.path().join("model.aig").to_string_lossy().into_owned();
    let run = latchwork(&[
        "export",
        file,
        "--property",
        "assert",
        "--to",
        "aig",
        "--no-stutter",
        "-o",
        &model,
    ]);
    if run.code != Some(0) {
        return Err(run.to_string());
    }
    let depth = first_violation(file)?;
    if !Path::new(&model).exists() {
        return if depth.is_none() { Ok(()) } else { Err("no circuit".to_owned()) };
    }
    let Some(depth) = depth else {
        let output = run_abc(abc, "read_aiger model.aig; print_stats", dir.path());
        return if output.contains("lat =") { Ok(()) } else { Err(output) };
    };
    let script = "read_aiger model.aig; bmc3 -T 20; write_cex -a cex.txt";
    let output = run_abc(abc, script, dir.path());
    match number_after(&output, "asserted in frame") {
        Some(frame) if frame == depth => {}
        None if output.contains("No output asserted") => {
            skipped(format_args!("ABC does not find the violation of {file} in time"));
            return Ok(());
        }
        _ => return Err(format!("not in frame {depth}:\n{output}")),
    }
    let [cex, map] =
        ["cex.txt", "model.map.json"].map(|n| dir.path().join(n).to_string_lossy().into_owned());
    let replay = latchwork(&["replay", file, "--witness", &cex, "--map", &map]);
    if replay.code == Some(10) { Ok(()) } else { Err(replay.to_string()) }
}

#[test]
fn abc_agrees_about_every_program() {
    let Some(abc) = abc() else {
        skipped("neither berkeley-abc nor abc is installed");
        return;
    };
    let files = testdata("c");
    for_all(&files, |file| {
        let file = file.to_string_lossy();
        compare(abc, &file).map_err(|fault| format!("{file}: {fault}"))
    });
}
