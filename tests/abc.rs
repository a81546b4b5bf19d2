//! ABC reads the exported circuit of every program of `testdata/c`; where `check` finds a
//! violation, ABC's bounded model checker finds one at the same depth, and its witness replays
//! here.

mod common;
#[path = "common/header.rs"]
mod header;
#[path = "common/skip.rs"]
mod skip;

use common::{Run, for_all, latchwork, testdata};
use header::header;
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

/// What the program says that it is checked with.
fn options(file: &str) -> Vec<String> {
    let own = header(Path::new(file)).into_iter().filter(|(key, _)| key == "options");
    own.flat_map(|(_, value)| value.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether the program states a violation: of those that state none, `known_verdicts` proves it.
fn states_violation(file: &str) -> bool {
    header(Path::new(file)).iter().any(|(_, value)| value == "UNSAFE")
}

/// Runs a command on a program with the program's own options.
fn on_program(command: &str, file: &str, arguments: &[&str]) -> Run {
    let own = options(file);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    latchwork(&[&[command, file][..], &own, arguments].concat())
}

/// Whether bounded model checking finds a violation within so many seconds, of whatever property.
fn violated(file: &str, engine: &str, seconds: &str) -> Result<bool, String> {
    let how = ["--engine", engine, "--first", "--timeout", seconds, "--format", "json"];
    let run = on_program("check", file, &[&["--property", "assert"][..], &how].concat());
    let report: Value = serde_json::from_str(&run.stdout).map_err(|e| format!("{e}\n{run}"))?;
    let mut properties = report["properties"].as_array().into_iter().flatten();
    Ok(properties.any(|p| p["violations"].as_array().is_some_and(|v| !v.is_empty())))
}

fn compare(abc: &str, file: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let model = dir.path().join("model.aig").to_string_lossy().into_owned();
    let form = ["--property", "assert", "--to", "aig", "--no-stutter", "-o", &model];
    let run = on_program("export", file, &form);
    if run.code != Some(0) {
        return Err(run.to_string());
    }
    let violated_at_all = states_violation(file) && violated(file, "bmc", "4")?;
    if !Path::new(&model).exists() {
        return if violated_at_all { Err("no circuit".to_owned()) } else { Ok(()) };
    }
    if !violated_at_all {
        let output = run_abc(abc, "read_aiger model.aig; print_stats", dir.path());
        return if output.contains("lat =") { Ok(()) } else { Err(output) };
    }
    let script = "read_aiger model.aig; bmc3 -T 20; write_cex -a cex.txt";
    let output = run_abc(abc, script, dir.path());
    match number_after(&output, "asserted in frame") {
        Some(frame) => {
            // The bound ends the search; the time only has to be enough on a busy machine.
            let up_to = |depth: u64| violated(file, &format!("bmc --max-depth {depth}"), "60");
            if !up_to(frame)? || frame > 0 && up_to(frame - 1)? {
                return Err(format!("the first violation is not in frame {frame}"));
            }
        }
        None if output.contains("No output asserted") => {
            skipped(format_args!("ABC does not find the violation of {file} in time"));
            return Ok(());
        }
        None => return Err(output),
    }
    let [cex, map] =
        ["cex.txt", "model.map.json"].map(|n| dir.path().join(n).to_string_lossy().into_owned());
    let replay = on_program("replay", file, &["--witness", &cex, "--map", &map]);
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
