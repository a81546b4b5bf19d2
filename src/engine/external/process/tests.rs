use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::sweep::MARK;
use super::{End, Finished, Job, Limits, run};
use crate::base::{Budget, Cancel, Stop};

/// Runs a shell script.
fn script(directory: &Path, text: &str, limits: Limits, budget: &Budget) -> Finished {
    let program = directory.join("script");
    fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let job = Job { program, arguments: vec![], directory: directory.to_owned(), limits };
    run(&job, budget)
}

fn short(millis: u64) -> Budget {
    Budget::new(Some(Duration::from_millis(millis)), None, Cancel::new())
}

/// Whether the process lives (a zombie does not).
fn alive(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    status.is_ok_and(
        |s| !matches!(s.rsplit(')').next().map(str::trim_start), Some(t) if t.starts_with('Z')),
    )
}

/// Waits until the file has `count` lines of process numbers, and returns them.
fn pids(path: &Path, count: usize) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let list: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(list.len(), count, "{text}");
    list
}

#[test]
fn output_and_exit_codes_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let text = "echo hello; echo oh >&2; pwd; exit 7";
    let finished = script(dir.path(), text, Limits::default(), &Budget::unlimited());
    assert_eq!(finished.end, End::Exit(7));
    let here = dir.path().canonicalize().unwrap();
    assert_eq!(finished.stdout, format!("hello\n{}\n", here.display()));
    assert_eq!(finished.stderr, "oh\n");
    let finished = script(dir.path(), "kill -SEGV $$", Limits::default(), &Budget::unlimited());
    assert_eq!(finished.end, End::Signal(libc::SIGSEGV));
}

#[test]
fn a_program_that_is_not_there_fails() {
    let dir = tempfile::tempdir().unwrap();
    let job = Job {
        program: dir.path().join("missing"),
        arguments: vec![],
        directory: dir.path().to_owned(),
        limits: Limits::default(),
    };
    let finished = run(&job, &Budget::unlimited());
    assert!(matches!(&finished.end, End::Failed(why) if why.contains("missing")), "{finished:?}");
}

/// Children in the group, and grandchildren in a session of their own that ignore signals and
/// hold standard output open.
const FAMILY: &str = "trap '' TERM INT HUP
sh -c 'trap \"\" TERM; echo $$ >>pids; while :; do sleep 0.05; done' &
setsid sh -c 'trap \"\" TERM; echo $$ >>pids; sleep 1000' &
setsid sh -c 'sh -c \"echo \\$\\$ >>pids; sleep 1000\" & echo $$ >>pids' &
while [ \"$(cat pids 2>/dev/null | wc -l)\" -lt 4 ]; do sleep 0.01; done
echo ready";

#[test]
fn nobody_survives_a_timeout_a_crash_or_an_end() {
    for (last, end) in [
        ("while :; do sleep 0.05; done", End::Stopped(Stop::Timeout(Duration::from_secs(4)))),
        ("kill -ABRT $$", End::Signal(libc::SIGABRT)),
        ("exit 0", End::Exit(0)),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let text = format!("{FAMILY}\n{last}");
        let finished = script(dir.path(), &text, Limits::default(), &short(4000));
        assert_eq!(finished.end, end);
        assert_eq!(finished.stdout, "ready\n", "{last}");
        for pid in pids(&dir.path().join("pids"), 4) {
            assert!(!alive(&pid), "{pid} survives: {last}");
        }
    }
}

/// A process shows no environment while it is in `exec`: it must not be overlooked there.
#[test]
fn nobody_survives_by_execs() {
    for round in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let text = "case $1 in '') setsid $0 again & sleep 1000;; *) exec $0 again;; esac";
        let limit = Duration::from_millis(60 + 7 * round);
        let budget = Budget::new(Some(limit), None, Cancel::new());
        let finished = script(dir.path(), text, Limits::default(), &budget);
        assert_eq!(finished.end, End::Stopped(Stop::Timeout(limit)));
        assert!(!mentioned(dir.path()), "round {round}");
        std::thread::sleep(Duration::from_millis(20));
        assert!(!mentioned(dir.path()), "round {round}, later");
    }
}

/// Whether the command line of some process has the directory in it.
fn mentioned(directory: &Path) -> bool {
    let what = directory.display().to_string();
    let entries = Path::new("/proc").read_dir().unwrap().flatten();
    let mut lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(&what))
}

#[test]
fn cancellation_kills_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    let budget = Budget::new(None, None, cancel.clone());
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let start = Instant::now();
    let finished = script(dir.path(), "sleep 1000", Limits::default(), &budget);
    assert_eq!(finished.end, End::Stopped(Stop::Cancelled));
    assert!(start.elapsed() < Duration::from_secs(20));
    raiser.join().unwrap();
}

#[test]
fn limits_are_imposed() {
    let dir = tempfile::tempdir().unwrap();
    let budget = short(60_000);
    let spin = "while :; do :; done";
    let cpu = Limits { cpu: Some(1), ..Limits::default() };
    let finished = script(dir.path(), spin, cpu, &budget);
    // The hard limit is the soft one, so the system may choose SIGKILL.
    assert!(matches!(finished.end, End::Signal(libc::SIGXCPU | libc::SIGKILL)), "{finished:?}");
    let limit = Duration::from_millis(100);
    let wall = Limits { wall: Some(limit), ..Limits::default() };
    let finished = script(dir.path(), spin, wall, &budget);
    assert_eq!(finished.end, End::Stopped(Stop::Timeout(limit)));
    let file = Limits { file_mb: 1, ..Limits::default() };
    let finished = script(dir.path(), "yes", file, &budget);
    assert!(!matches!(finished.end, End::Exit(0) | End::Stopped(_)), "{finished:?}");
    assert!(finished.stdout.len() <= 1 << 20);
    let memory = Limits { memory_mb: Some(200), ..Limits::default() };
    let text = "x=$(head -c 400000000 /dev/zero | tr '\\0' a); echo ${#x}";
    let finished = script(dir.path(), text, memory, &budget);
    assert!(!finished.stdout.contains("400000000"), "{:?}", finished.end);
}

#[test]
fn the_mark_is_seen_by_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let text = format!("echo ${MARK}");
    let finished = script(dir.path(), &text, Limits::default(), &Budget::unlimited());
    assert!(finished.stdout.starts_with(&format!("{}-", std::process::id())), "{finished:?}");
}
