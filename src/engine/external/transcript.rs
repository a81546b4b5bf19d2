//! Reading what tools print.

use std::path::Path;

use super::process::{End, Finished};

/// Longest line that is shown.
const SHOWN: usize = 120;

/// What a run says about a property, before its evidence is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It holds.
    Safe,
    /// It does not.
    Unsafe,
    /// The tool does not know.
    Unknown,
}

/// What all statements among the lines of the output agree on, as `meaning` reads the lines.
///
/// # Errors
/// What was found instead: no statement, or two that conflict.
pub(super) fn statement(
    finished: &Finished,
    meaning: impl Fn(&str) -> Option<Said>,
) -> Result<Said, String> {
    let mut statements = finished.stdout.lines().filter_map(|l| Some((meaning(l)?, l)));
    let (said, line) = statements.next().ok_or_else(|| complaint("no verdict", finished))?;
    match statements.find(|&(other, _)| other != said) {
        None => Ok(said),
        Some((_, other)) => {
            Err(format!("verdicts that conflict: `{}` and `{}`", shown(line), shown(other)))
        }
    }
}

/// Demands this exit code.
///
/// # Errors
/// What happened instead, with the last lines of the output.
pub(super) fn exit(finished: &Finished, expected: i32) -> Result<(), String> {
    match finished.end {
        End::Exit(code) if code == expected => Ok(()),
        _ => Err(complaint("abnormal end", finished)),
    }
}

/// `what`, how the run ended, and the last lines that it printed.
pub(super) fn complaint(what: &str, finished: &Finished) -> String {
    let last = |text: &str| {
        let lines: Vec<String> =
            text.lines().rev().filter(|l| !l.trim().is_empty()).take(2).map(shown).collect();
        lines.into_iter().rev().collect::<Vec<_>>()
    };
    let mut lines = last(&finished.stdout);
    lines.extend(last(&finished.stderr));
    let end = &finished.end;
    match lines.len() {
        0 => format!("{what}: {end}, nothing printed"),
        _ => format!("{what}: {end}, printed `{}`", lines.join("` `")),
    }
}

/// The line without its ends and control characters, cut.
fn shown(line: &str) -> String {
    let line: String = line.trim().chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match line.char_indices().nth(SHOWN) {
        None => line,
        Some((cut, _)) => format!("{}...", &line[..cut]),
    }
}

/// The line's words, with one blank between two.
pub(super) fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a file that the tool was to write; invalid UTF-8 is replaced.
///
/// # Errors
/// That `what` is not there, with the last lines of the output.
pub(super) fn file(path: &Path, what: &str, finished: &Finished) -> Result<String, String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(e) => Err(complaint(&format!("no {what} ({e})"), finished)),
    }
}
