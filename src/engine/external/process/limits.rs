//! What a program may use.

use std::io;
use std::time::Duration;

/// Limits of one run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time; the supervisor's budget may end the run earlier.
    pub wall: Option<Duration>,
    /// CPU time of each process, in whole seconds.
    pub cpu: Option<u64>,
    /// Address space of each process in MB (2^20 bytes).
    pub memory_mb: Option<u64>,
    /// Size of each file that is written, standard output among them, in MB (2^20 bytes).
    pub file_mb: u64,
}

impl Default for Limits {
    /// No limit but 256 MB for each file.
    fn default() -> Self {
        Self { wall: None, cpu: None, memory_mb: None, file_mb: 256 }
    }
}

impl Limits {
    /// Imposes the limits on this process. Safe between fork and exec: nothing allocates.
    pub(super) fn impose(&self) -> io::Result<()> {
        let bytes = |mb: u64| mb.saturating_mul(1 << 20);
        if let Some(seconds) = self.cpu {
            set(libc::RLIMIT_CPU, seconds.max(1))?;
        }
        if let Some(mb) = self.memory_mb {
            set(libc::RLIMIT_AS, bytes(mb))?;
        }
        set(libc::RLIMIT_FSIZE, bytes(self.file_mb))?;
        set(libc::RLIMIT_CORE, 0)
    }
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = libc::c_int;

/// Lowers a limit to `value`; a lower one that is in force stays.
fn set(resource: Resource, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls get a valid pointer to a limit.
    unsafe {
        if libc::getrlimit(resource, &raw mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        let value = (value as libc::rlim_t).min(limit.rlim_max);
        limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        if libc::setrlimit(resource, &raw const limit) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
