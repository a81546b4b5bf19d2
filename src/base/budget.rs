//! Limits of time and memory, and cancellation. Long loops take `&Budget` and ask
//! [`Budget::check`]; reaching a limit ends in UNKNOWN with the reason, never in a killed process.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why work stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// This wall-clock limit was reached.
    Timeout(Duration),
    /// The resident memory reached 90 % of this many MB.
    Memory(u64),
    /// Somebody cancelled (SIGINT, or another engine was faster).
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Timeout(limit) => write!(f, "timeout {} s", limit.as_secs_f64()),
            Stop::Memory(mb) => write!(f, "memory limit {mb} MB"),
            Stop::Cancelled => write!(f, "interrupted"),
        }
    }
}

/// A flag that another thread or a signal handler raises to stop work. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    raised: Arc<AtomicBool>,
    /// Raised flags above count as this one's, too.
    above: Option<Arc<Cancel>>,
}

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag for a part of the work: it counts as raised when `self` is, but not the other way
    /// round.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { raised: Arc::default(), above: Some(Arc::new(self.clone())) }
    }

    /// Raises the flag, for good.
    pub fn cancel(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the flag has been raised.
    pub fn is_cancelled(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
            || self.above.as_ref().is_some_and(|above| above.is_cancelled())
    }

    /// The shared flag itself, for a signal handler that must not allocate.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }
}

/// What work may use. Clones share the cancellation flag and the start of the clock.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    timeout: Option<Duration>,
    memory_mb: Option<u64>,
    cancel: Cancel,
}

impl Budget {
    /// No limit but cancellation.
    pub fn unlimited() -> Self {
        Self::new(None, None, Cancel::new())
    }

    /// A budget whose clock starts now: wall time, resident memory of this process in MB
    /// (2^20 bytes), and a cancellation flag.
    pub fn new(timeout: Option<Duration>, memory_mb: Option<u64>, cancel: Cancel) -> Self {
        Self { start: Instant::now(), timeout, memory_mb, cancel }
    }

    /// A budget for a part of the work: the same limits, and at most `time` from now on. The
    /// clock goes on.
    #[must_use]
    pub fn shorter(&self, time: Duration) -> Self {
        let end = self.start.elapsed() + time;
        Self { timeout: Some(self.timeout.map_or(end, |t| t.min(end))), ..self.clone() }
    }

    /// A budget for a part of the work: the same limits and clock, but cancelled by `cancel`
    /// alone.
    #[must_use]
    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        Self { cancel, ..self.clone() }
    }

    /// The same budget but for its limit of memory, in MB (2^20 bytes).
    #[must_use]
    pub fn with_memory(&self, memory_mb: Option<u64>) -> Self {
        Self { memory_mb, ..self.clone() }
    }

    /// Wall time that is left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.timeout.map(|t| t.saturating_sub(self.elapsed()))
    }

    /// The limit of wall time from the clock's start.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The limit of memory in MB (2^20 bytes).
    pub fn memory_mb(&self) -> Option<u64> {
        self.memory_mb
    }

    /// Time since the clock started.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The cancellation flag.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The reason to stop, if there is one.
    pub fn check(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        if let Some(t) = self.timeout
            && self.start.elapsed() >= t
        {
            return Some(Stop::Timeout(t));
        }
        if let Some(mb) = self.memory_mb
            && resident_mb().is_some_and(|r| r * 10 >= mb * 9)
        {
            return Some(Stop::Memory(mb));
        }
        None
    }
}

/// Resident memory of this process in MB, where the system tells.
fn resident_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: sysconf has no preconditions.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    Some((pages * page) >> 20)
}
