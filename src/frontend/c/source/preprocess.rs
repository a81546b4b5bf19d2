//! Runs the machine's C compiler as preprocessor.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::lines::read_for_display;
use super::options::{DataModel, SourceOptions};
use crate::base::{Diagnostic, SourceMap, Span};

/// The compiler that is run where none is named.
const DEFAULT_COMPILER: &str = "cc";

/// The preprocessed text of a C file, with line markers.
///
/// # Errors
/// The compiler cannot be run or refuses the file; its first error, at its place.
pub fn preprocess(
    path: &Path,
    options: &SourceOptions,
    sources: &mut SourceMap,
) -> Result<Vec<u8>, Diagnostic> {
    let compiler = options.compiler.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_COMPILER));
    let output = command(&compiler, path, options).output().map_err(|e| not_run(&compiler, &e))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(first_error(&stderr, options, sources).unwrap_or_else(|| {
        let message = format!("`{} -E` failed on `{}`", compiler.display(), path.display());
        let said = stderr.lines().find(|l| !l.trim().is_empty()).unwrap_or("it says nothing");
        Diagnostic::error_without_span(message).note(said.trim())
    }))
}

fn command(compiler: &Path, path: &Path, options: &SourceOptions) -> Command {
    let mut command = Command::new(compiler);
    // The messages are read below.
    command.env("LC_ALL", "C").args(["-E", "-x", "c"]);
    if options.data_model == DataModel::Ilp32 {
        command.arg("-m32");
    }
    if let Some(std) = &options.std {
        command.arg(format!("-std={std}"));
    }
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    for define in &options.defines {
        command.arg("-D").arg(define);
    }
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        command.arg(Path::new(".").join(path));
    } else {
        command.arg(path);
    }
    command
}

fn not_run(compiler: &Path, error: &io::Error) -> Diagnostic {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "it is not installed".to_string(),
        _ => error.to_string(),
    };
    let message = format!("cannot run the C compiler `{}`: {why}", compiler.display());
    Diagnostic::error_without_span(message)
        .note("install one (Debian: apt install gcc), or give a preprocessed .i file")
}

/// The first error in the compiler's messages.
fn first_error(
    stderr: &str,
    options: &SourceOptions,
    sources: &mut SourceMap,
) -> Option<Diagnostic> {
    let mut included_from = None;
    for line in stderr.lines() {
        if let Some(from) = line.strip_prefix("In file included from ") {
            included_from = Some(from.trim_end_matches([',', ':']).to_string());
            continue;
        }
        let Some((place, message)) =
            line.split_once(" fatal error: ").or_else(|| line.split_once(" error: "))
        else {
            if line.contains(" warning: ") {
                included_from = None;
            }
            continue;
        };
        let mut diagnostic = match located(place, sources) {
            Some(span) => Diagnostic::error(span, message),
            None => Diagnostic::error_without_span(format!("{place} {message}")),
        };
        if let Some(from) = included_from {
            diagnostic = diagnostic.note(format!("included from {from}"));
        }
        return Some(match advice(message, options) {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        });
    }
    None
}

/// Reads `file:line:col:`.
fn located(place: &str, sources: &mut SourceMap) -> Option<Span> {
    let mut parts = place.strip_suffix(':')?.rsplitn(3, ':');
    let col = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let file = sources.add(name, || read_for_display(Path::new(name)));
    let text = sources.line(file, line).unwrap_or_default();
    let rest = text.get((col as usize).saturating_sub(1)..).unwrap_or_default();
    let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
    Some(Span { file, line, col, len: u32::try_from(word).unwrap_or(0) })
}

/// What to do about an error of the preprocessor.
fn advice(message: &str, options: &SourceOptions) -> Option<&'static str> {
    let missing = message.contains("No such file or directory") || message.contains("not found");
    let system = ["gnu/", "bits/", "sys/cdefs.h", "asm/"].iter().any(|p| message.contains(p));
    match options.data_model {
        DataModel::Ilp32 if missing && system => Some(
            "the headers for 32-bit programs are not installed (Debian: apt install gcc-multilib)",
        ),
        _ if missing => Some("name the directory that holds it with -I"),
        _ => None,
    }
}
