//! One run of one program.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::sweep::{MARK, sweep};
use crate::base::{Budget, Stop};

/// What to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its working directory, which also gets the files `stdout` and `stderr`.
    pub directory: PathBuf,
    /// What it may use.
    pub limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// Killed by this signal, which was not the supervisor's.
    Signal(i32),
    /// Killed by the supervisor, for this reason.
    Stopped(Stop),
    /// It could not be started or watched.
    Failed(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit code {code}"),
            End::Signal(libc::SIGXCPU) => f.write_str("killed: CPU time used up"),
            End::Signal(libc::SIGXFSZ) => f.write_str("killed: too much output"),
            End::Signal(signal) => write!(f, "killed by signal {signal}"),
            End::Stopped(stop) => write!(f, "{stop}"),
            End::Failed(why) => f.write_str(why),
        }
    }
}

/// A run that has ended; none of its processes is left.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Its standard output, at most [`OUTPUT_LIMIT`] bytes; invalid UTF-8 is replaced.
    pub stdout: String,
    /// Likewise its standard error.
    pub stderr: String,
    /// What it used.
    pub usage: Usage,
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Wall time in seconds.
    pub wall: f64,
    /// CPU time in seconds, of the program and of those that it waited for.
    pub cpu: f64,
    /// Largest resident size in MB (2^20 bytes) of the program, or of one that it waited for.
    pub peak_mb: f64,
}

/// Bytes of output that are looked at.
const OUTPUT_LIMIT: u64 = 16 << 20;

/// Longest time between two looks at a running program.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Makes the marks of this process's runs different.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// Runs the program to its end or to that of its limits or the budget.
pub fn run(job: &Job, budget: &Budget) -> Finished {
    let [out, err] = ["stdout", "stderr"].map(|name| job.directory.join(name));
    let begin = Instant::now();
    let (end, usage) = match start(job, &out, &err) {
        Err(e) => {
            let why = format!("{} cannot be run: {e}", job.program.display());
            (End::Failed(why), Usage::default())
        }
        Ok((child, mark)) => {
            let stopped = watch(&child, job.limits.wall, budget);
            let wall = begin.elapsed().as_secs_f64();
            sweep(child.id() as libc::pid_t, &mark);
            // The leader is dead by now and is waited for last: until then its number is its own.
            let (end, usage) = reap(&child);
            (stopped.map_or(end, End::Stopped), Usage { wall, ..usage })
        }
    };
    Finished { end, stdout: text(&out), stderr: text(&err), usage }
}

/// Waits for the program, which is dead.
fn reap(child: &Child) -> (End, Usage) {
    let mut status = 0;
    // SAFETY: a zeroed rusage is valid, and wait4 only writes to it and to the status.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        while libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, &raw mut used) == -1 {
            let e = io::Error::last_os_error();
            if e.kind() != io::ErrorKind::Interrupted {
                let why = format!("cannot wait for the program: {e}");
                return (End::Failed(why), Usage::default());
            }
        }
        used
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    // In kilobytes, but on macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 << 20 } else { 1 << 10 };
    let peak_mb = used.ru_maxrss as f64 / f64::from(unit);
    let usage = Usage { wall: 0.0, cpu: seconds(used.ru_utime) + seconds(used.ru_stime), peak_mb };
    if libc::WIFEXITED(status) {
        (End::Exit(libc::WEXITSTATUS(status)), usage)
    } else {
        (End::Signal(libc::WTERMSIG(status)), usage)
    }
}

fn start(job: &Job, out: &Path, err: &Path) -> io::Result<(Child, String)> {
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let limits = job.limits;
    let mut command = Command::new(&job.program);
    command
        .args(&job.arguments)
        .current_dir(&job.directory)
        .env(MARK, &mark)
        .stdin(Stdio::null())
        .stdout(File::create(out)?)
        .stderr(File::create(err)?)
        .process_group(0);
    // SAFETY: what runs between fork and exec only makes system calls.
    unsafe {
        command.pre_exec(move || {
            die_with_parent();
            limits.impose()
        });
    }
    Ok((command.spawn()?, mark))
}

/// Where this process is killed in a way that it cannot handle, its children should not go on.
/// (The signal comes when the thread that forked ends; the supervisor's waits for the child.)
fn die_with_parent() {
    #[cfg(target_os = "linux")]
    // SAFETY: this option of prctl takes a signal and has no preconditions.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// Waits for the end of the program without reaping it; the reason, if it is still running and
/// must be stopped.
fn watch(child: &Child, wall: Option<Duration>, budget: &Budget) -> Option<Stop> {
    let start = Instant::now();
    while !has_ended(child) {
        if let Some(stop) = budget.check() {
            return Some(stop);
        }
        if let Some(wall) = wall
            && start.elapsed() >= wall
        {
            return Some(Stop::Timeout(wall));
        }
        // Short runs are measured closely, long ones not disturbed.
        let pause = Duration::from_millis(1) + start.elapsed() / 50;
        std::thread::sleep(pause.min(LONGEST_PAUSE));
    }
    None
}

/// Whether the child is a zombie (or not there).
fn has_ended(child: &Child) -> bool {
    // SAFETY: a zeroed siginfo is valid, and waitid only writes to it.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOWAIT | libc::WNOHANG;
        let status = libc::waitid(libc::P_PID, child.id(), &raw mut info, flags);
        status != 0 || info.si_pid() != 0
    }
}

fn text(path: &Path) -> String {
    let mut bytes = vec![];
    // A file that is missing or unreadable is like an empty one: it has no verdict in it.
    let _ = File::open(path).and_then(|f| f.take(OUTPUT_LIMIT).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
