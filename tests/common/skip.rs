//! What a test says that cannot do its work on this machine.

use std::io::Write;

/// Says on stderr that something is skipped and why. It writes past the test harness, which shows
/// what a passing test printed to nobody.
pub fn skipped(what: impl std::fmt::Display) {
    // A closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}
