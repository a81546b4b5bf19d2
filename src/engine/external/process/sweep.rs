//! Finding and killing all processes of a run.

use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the environment variable that marks the processes of a run.
pub(super) const MARK: &str = "LATCHWORK_RUN";

/// How long killing may take: a process in an uninterruptible system call dies after it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills the process group `group`, and all processes with this mark, again and again until none
/// is left (each may have forked meanwhile).
pub(super) fn sweep(group: libc::pid_t, mark: &str) {
    let start = Instant::now();
    loop {
        // SAFETY: kill and waitpid have no preconditions. The group's leader has not been waited
        // for, so that its number cannot belong to others by now.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let left = marked(mark);
        for &pid in &left {
            // SAFETY: as above.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        if left.is_empty() || start.elapsed() > PATIENCE {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The living processes with this mark in the environment that they were started with; none
/// where there is no `/proc`. Zombies have no environment.
pub(super) fn marked(mark: &str) -> Vec<libc::pid_t> {
    let wanted = format!("{MARK}={mark}");
    let Ok(entries) = Path::new("/proc").read_dir() else { return vec![] };
    let pids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<libc::pid_t>().ok());
    pids.filter(|pid| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|text| text.split(|&b| b == 0).any(|v| v == wanted.as_bytes()))
    })
    .collect()
}
