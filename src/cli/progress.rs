//! Progress on a terminal, and interrupts.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::base::Cancel;
use crate::engine::{FrameReport, Progress};

/// The flag that the signal handler raises.
static INTERRUPT: OnceLock<std::sync::Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_interrupt(_: libc::c_int) {
    if let Some(flag) = INTERRUPT.get() {
        flag.store(true, Ordering::Relaxed);
    }
}

/// Raises the flag on SIGINT and SIGTERM: work then ends with UNKNOWN and what was found so far.
pub(super) fn cancel_on_interrupt(cancel: &Cancel) {
    if INTERRUPT.set(cancel.flag()).is_err() {
        return;
    }
    let handler: extern "C" fn(libc::c_int) = on_interrupt;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only stores to an atomic.
        unsafe {
            libc::signal(signal, handler as *const () as libc::sighandler_t);
        }
    }
}

/// A line on standard error that says how far an engine is; nothing where it is no terminal.
pub(super) struct Line {
    terminal: bool,
    last: Option<Instant>,
}

impl Line {
    pub(super) fn new(quiet: bool) -> Self {
        Self { terminal: !quiet && std::io::stderr().is_terminal(), last: None }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.terminal && self.last.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Progress for Line {
    fn frame(&mut self, report: &FrameReport) {
        const PAUSE: Duration = Duration::from_millis(100);
        if !self.terminal || self.last.is_some_and(|t| t.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let mut err = std::io::stderr().lock();
        let _ = write!(
            err,
            "\r\x1b[K{}: depth {}, {} clauses, {:.1} s",
            report.engine,
            report.depth,
            report.clauses,
            report.elapsed.as_secs_f64()
        );
        let _ = err.flush();
    }
}
