//! Finding and killing all processes of a run.

use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the environment variable that marks the processes of a run.
pub(super) const MARK: &str = "LATCHWORK_RUN";

/// How long killing may take: a process in an uninterruptible system call dies after it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills the process group `group`, and all processes with this mark, again and again until two
/// looks in turn find none (each may have forked meanwhile, to a number already looked at).
pub(super) fn sweep(group: libc::pid_t, mark: &str) {
    let start = Instant::now();
    let since = Process::read(group).map(|leader| leader.start);
    let mut clean = 0;
    while clean < 2 && start.elapsed() < PATIENCE {
        // SAFETY: kill and waitpid have no preconditions. The group's leader has not been waited
        // for, so that its number cannot belong to others by now.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let found = look(mark, since);
        for &pid in &found.marked {
            // SAFETY: as above.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        clean = if found.marked.is_empty() && !found.in_exec { clean + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a look at all processes finds; nothing where there is no `/proc`.
struct Found {
    /// The living processes with the mark in the environment that they were started with.
    marked: Vec<libc::pid_t>,
    /// Whether some process shows no environment, as it does in the middle of `exec`, and is not
    /// older than the run, so that it may be marked.
    in_exec: bool,
}

fn look(mark: &str, since: Option<u64>) -> Found {
    let wanted = format!("{MARK}={mark}");
    let mut found = Found { marked: vec![], in_exec: false };
    let Ok(entries) = Path::new("/proc").read_dir() else { return found };
    for pid in entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok()) {
        match std::fs::read(format!("/proc/{pid}/environ")) {
            Ok(text) if text.is_empty() => {
                let may_be = |p: Process| p.lives && since.is_none_or(|since| p.start >= since);
                found.in_exec |= Process::read(pid).is_some_and(may_be);
            }
            Ok(text) if text.split(|&b| b == 0).any(|v| v == wanted.as_bytes()) => {
                found.marked.push(pid);
            }
            // Of another run, another user's, or gone.
            Ok(_) | Err(_) => {}
        }
    }
    found
}

/// What the system says of a process (proc(5), `/proc/pid/stat`).
struct Process {
    /// Neither a zombie nor a thread of the kernel: these have no environment.
    lives: bool,
    /// When it was forked, in clock ticks since the system's start.
    start: u64,
}

impl Process {
    fn read(pid: libc::pid_t) -> Option<Process> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name is in parentheses and may have others inside.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let of_kernel = fields.get(6)?.parse::<u64>().ok()? & 0x0020_0000 != 0;
        let lives = !of_kernel && !matches!(*fields.first()?, "Z" | "X");
        Some(Process { lives, start: fields.get(19)?.parse().ok()? })
    }
}
