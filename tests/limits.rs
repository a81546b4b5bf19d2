//! Limits of time and memory, and interrupts: every engine stops soon and says why.

#[path = "common/parallel.rs"]
mod parallel;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use parallel::for_all;

const ENGINES: [&str; 7] = ["bmc", "ic3", "kind", "bdd", "sim", "auto", "portfolio:embedded"];

/// How long after its limit a run may end (on a busy machine; the engines look at their limits
/// about 20 times a second).
const SOON: Duration = Duration::from_secs(3);

/// A circuit on which every engine works for long in its first frames: it is bad when two free
/// words of 32 bits are factors of a product of two primes.
fn factors(dir: &Path) -> PathBuf {
    let model = "1 sort bitvec 64\n2 sort bitvec 32\n3 sort bitvec 1\n4 state 2 p\n5 state 2 q\n\
                 6 next 2 4 4\n7 next 2 5 5\n8 uext 1 4 32\n9 uext 1 5 32\n10 mul 1 8 9\n\
                 11 constd 1 9345208821757322069\n12 eq 3 10 11\n13 bad 12\n";
    let path = dir.join("factors.btor2");
    fs::write(&path, model).unwrap();
    path
}

/// A circuit with very many small frames: a counter of 40 bits, bad at the end.
fn counter(dir: &Path) -> PathBuf {
    let model = "1 sort bitvec 40\n2 sort bitvec 1\n3 input 2 go\n4 state 1 count\n5 zero 1\n\
                 6 init 1 4 5\n7 uext 1 3 39\n8 add 1 4 7\n9 next 1 4 8\n10 ones 1\n\
                 11 eq 2 4 10\n12 bad 11\n";
    let path = dir.join("counter.btor2");
    fs::write(&path, model).unwrap();
    path
}

/// A circuit whose frames are large: 20 states of 64 bits, each multiplied by the next,
/// and bad where the square of a sum of all is a certain number.
fn products(dir: &Path) -> PathBuf {
    let mut model = String::from("1 sort bitvec 64\n2 sort bitvec 1\n3 input 1 i\n");
    let count = 20;
    for k in 0..count {
        writeln!(model, "{} state 1 s{k}", 10 + k).unwrap();
    }
    for k in 0..count {
        let (line, state, other) = (100 + 10 * k, 10 + k, 10 + (k + 1) % count);
        writeln!(model, "{line} constd 1 {}\n{} init 1 {state} {line}", 77 * k + 1, line + 1)
            .unwrap();
        writeln!(model, "{} mul 1 {state} {other}\n{} xor 1 {} 3", line + 2, line + 3, line + 2)
            .unwrap();
        writeln!(model, "{} next 1 {state} {}", line + 4, line + 3).unwrap();
        let sum = if k == 0 { 10 } else { line - 5 };
        writeln!(model, "{} xor 1 {sum} {}", line + 5, line + 2).unwrap();
    }
    let last = 100 + 10 * count - 5;
    writeln!(model, "900 mul 1 {last} {last}\n901 constd 1 123456785").unwrap();
    writeln!(model, "902 eq 2 900 901\n903 bad 902").unwrap();
    let path = dir.join("products.btor2");
    fs::write(&path, model).unwrap();
    path
}

fn latchwork(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_latchwork"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// The child ends soon after `limit` from `start` on, with unknown verdicts for this reason.
fn stops(child: Child, start: Instant, limit: Duration, reason: &str) -> Result<(), String> {
    let output = child.wait_with_output().expect("the child is waited for");
    let (late, text) = (start.elapsed(), String::from_utf8_lossy(&output.stdout));
    let lines: Vec<&str> = text.lines().filter(|l| l.contains("UNKNOWN")).collect();
    let right =
        !lines.is_empty() && lines.iter().all(|l| l.contains(&format!("UNKNOWN ({reason}")));
    match right && output.status.code() == Some(5) && late < limit + SOON {
        true => Ok(()),
        false => Err(format!("{late:?}, {output:?}")),
    }
}

/// Whatever was begun when the time ended, each property has its line, in JSON its entry.
#[test]
fn time_before_there_is_a_circuit() {
    let formula = ["--ltl", "G true"];
    for (command, args) in [("check", &[][..]), ("check", &formula), ("explore", &[])] {
        let lost =
            [command, "testdata/c/lost_update.c", "--property", "assert", "--property", "race"];
        let all = [&lost, args, &["--timeout", "0.000001"]].concat();
        let text = latchwork(&all).wait_with_output().expect("the child is waited for");
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        for property in ["assert", "race", "ltl:G true"].iter().take(2 + args.len() / 2) {
            let line = format!("{property}: UNKNOWN (timeout 0.000001 s");
            assert!(text.lines().any(|l| l.starts_with(&line)), "{all:?}: {text}");
        }
        let json = latchwork(&[&all[..], &["--format", "json"]].concat());
        let json = json.wait_with_output().expect("the child is waited for");
        assert_eq!(json.status.code(), Some(5), "{all:?}");
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
        let listed = json["properties"].as_array().expect("a list");
        assert!(listed.iter().any(|p| p["name"] == "race" && p["verdict"] == "UNKNOWN"), "{json}");
    }
}

#[test]
fn time() {
    let dir = tempfile::tempdir().unwrap();
    let model = factors(dir.path()).display().to_string();
    let deep = counter(dir.path()).display().to_string();
    let mut jobs: Vec<Vec<&str>> =
        ENGINES.iter().map(|engine| vec!["solve", &model, "--engine", engine]).collect();
    jobs.push(vec!["solve", &deep, "--engine", "bmc"]);
    for_all(&jobs, |args| {
        let child = latchwork(&[&args[..], &["--timeout", "1"]].concat());
        stops(child, Instant::now(), Duration::from_secs(1), "timeout 1 s")
            .map_err(|e| format!("{args:?}: {e}"))
    });
}

#[test]
fn memory() {
    let dir = tempfile::tempdir().unwrap();
    let model = products(dir.path()).display().to_string();
    // Simulation needs no more memory than the circuit.
    let engines: Vec<&str> = ENGINES.into_iter().filter(|&e| e != "sim").collect();
    for_all(&engines, |engine| {
        let child = latchwork(&["solve", &model, "--engine", engine, "--memory", "120"]);
        stops(child, Instant::now(), Duration::from_secs(20), "memory limit 120 MB")
            .map_err(|e| format!("{engine}: {e}"))
    });
}

#[test]
fn interrupts() {
    let dir = tempfile::tempdir().unwrap();
    let model = factors(dir.path()).display().to_string();
    for_all(&ENGINES, |engine| {
        let child = latchwork(&["solve", &model, "--engine", engine]);
        std::thread::sleep(Duration::from_secs(1));
        // SAFETY: the child has not been waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        stops(child, Instant::now(), Duration::ZERO, "interrupted")
            .map_err(|e| format!("{engine}: {e}"))
    });
}
