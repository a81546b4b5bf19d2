//! Programs of others behind the command line: real ones on programs with known verdicts, and
//! impostors in their place.

#[path = "common/skip.rs"]
mod skip;

use skip::skipped;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// `latchwork check` on a program of `testdata/c`, with variables set.
fn check(program: &str, options: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = latchwork(program, options, variables);
    command.output().expect("the binary starts")
}

fn latchwork(program: &str, options: &[&str], variables: &[(&str, &Path)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_latchwork"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.arg("check").arg(format!("testdata/c/{program}.c"));
    command.args(["--property", "assert"]).args(options).arg("--quiet");
    command.envs(variables.iter().map(|&(name, value)| (name, value)));
    command
}

/// The line about `assert`, and the exit code.
fn verdict(output: &Output) -> (String, Option<i32>) {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|l| l.starts_with("assert: "));
    let word = line.and_then(|l| l.split_whitespace().nth(1)).unwrap_or("nothing");
    (word.to_owned(), output.status.code())
}

/// Whether `latchwork engines` finds the engine.
fn is_here(engine: &str) -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_latchwork")).arg("engines").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.lines().any(|l| l.split_whitespace().next() == Some(engine));
    if !found {
        skipped(format_args!(
            "{engine} is not on this machine (scripts/setup installs abc and NuSMV, and rIC3 if told)"
        ));
    }
    found
}

/// Calls `test` on every item, on two threads.
fn for_all<T: Sync>(items: &[T], test: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            test(item);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

const SAFE: [&str; 5] = ["dekker", "peterson", "spin_lock", "trylock", "message_passing"];
const UNSAFE: [&str; 3] = ["lost_update", "peterson_turn_first", "spin_lock_racy"];

#[test]
fn real_engines_give_the_known_verdicts() {
    let mut jobs = vec![];
    let engines =
        [("ric3", &SAFE[..]), ("abc-pdr", &SAFE), ("abc-bmc3", &[]), ("nusmv", &SAFE[..3])];
    for (engine, safe) in engines {
        if is_here(engine) {
            jobs.extend(safe.iter().map(|program| (engine, program, ("SAFE", 0))));
            jobs.extend(UNSAFE.iter().map(|program| (engine, program, ("UNSAFE", 10))));
        }
    }
    for_all(&jobs, |&(engine, program, (word, code))| {
        let output = check(program, &["--engine", engine, "--timeout", "100", "--first"], &[]);
        assert_eq!(verdict(&output), (word.into(), Some(code)), "{engine}, {program}: {output:?}");
    });
}

fn script(directory: &Path, text: &str) -> PathBuf {
    let path = directory.join("impostor");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What impostors do, in turns.
const ACTS: [&str; 6] = [
    "kill -SEGV $$",
    "head -c 1000000 /dev/zero; echo SAFE",
    // All of the words that any tool would say.
    "echo 'Property proved.'; echo 'Status = 1  Frames = 1'; echo '-- invariant !bad  is true'
     printf '# Inductive invariant for \"m\"\\n.i 1\\n.o 1\\n.p 0\\n.e\\n' >invariant.pla",
    "echo 'Status = 0  Frames = 1'; echo '-- invariant !bad  is false'
     printf '0\\n0# DONE' >trace.txt; echo '<state id=\"1\"></state>' >trace.xml",
    "echo 'Status = 0'; echo 'Status = 1'; echo '-- invariant !bad  is true'; echo '-- invariant !bad  is false'",
    "trap '' TERM INT; while :; do sleep 0.1; done",
];

#[test]
fn impostors_change_no_verdict_for_the_worse() {
    let jobs: Vec<(&str, &str)> = ACTS
        .iter()
        .flat_map(|&act| [(act, "auto"), (act, "portfolio:all"), (act, "abc-pdr")])
        .collect();
    let variables = ["ABC", "RIC3", "NUXMV", "NUSMV"].map(|name| format!("LATCHWORK_{name}"));
    for_all(&jobs, |&(act, engine)| {
        let dir = tempfile::tempdir().unwrap();
        let path = script(dir.path(), act);
        let variables: Vec<_> = variables.iter().map(|v| (v.as_str(), path.as_path())).collect();
        for (program, right) in [("lost_update", ("UNSAFE", 10)), ("spin_lock", ("SAFE", 0))] {
            let (seconds, (word, code)) =
                if engine == "abc-pdr" { ("2", ("UNKNOWN", 5)) } else { ("100", right) };
            let options = ["--engine", engine, "--cores", "8", "--timeout", seconds];
            let output = check(program, &options, &variables);
            let expected = (word.into(), Some(code));
            assert_eq!(verdict(&output), expected, "{act}, {program}, {engine}: {output:?}");
        }
        assert_eq!(processes_that_mention(dir.path()), 0, "{act}, {engine}");
    });
}

#[test]
fn an_interrupt_ends_the_whole_tree() {
    let text = "trap '' TERM INT HUP
setsid sh -c 'trap \"\" TERM INT; while :; do sleep 0.05; done' $0 &
echo ready >$0.ready
while :; do sleep 0.05; done";
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let dir = tempfile::tempdir().unwrap();
        let path = script(dir.path(), text);
        let child = latchwork("spin_lock", &["--engine", "abc-pdr"], &[("LATCHWORK_ABC", &path)])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !dir.path().join("impostor.ready").exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "the impostor does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(processes_that_mention(dir.path()) >= 1);
        // SAFETY: the child has not been waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, signal) };
        let output = child.wait_with_output().unwrap();
        assert_eq!(verdict(&output), ("UNKNOWN".into(), Some(5)), "{output:?}");
        assert_eq!(processes_that_mention(dir.path()), 0);
    }
}

/// The number of processes whose command line mentions the directory.
fn processes_that_mention(directory: &Path) -> usize {
    let what = directory.display().to_string();
    let entries = Path::new("/proc").read_dir().into_iter().flatten().flatten();
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&what)).count()
}

#[test]
fn an_engine_that_is_not_here_is_an_error_that_says_where_it_was_looked_for() {
    let nowhere = Path::new("/nowhere/abc");
    let output = check("peterson", &["--engine", "abc-pdr"], &[("LATCHWORK_ABC", nowhere)]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("LATCHWORK_ABC") && text.contains("/nowhere/abc"), "{text}");
    let output = check("peterson", &["--engine", "abcd"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no engine abcd"));
}
