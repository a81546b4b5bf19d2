//! Source files, spans, and diagnostics that show the source line.

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term;
use std::fmt;
use std::sync::Arc;

use super::{Id, IndexVec};

crate::define_id! {
    /// A file of a [`SourceMap`].
    pub struct FileId, "file";
}

/// A place in a source file as its author wrote it (line markers already applied).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Line, 1-based.
    pub line: u32,
    /// Column in bytes, 1-based.
    pub col: u32,
    /// Length in bytes on that line, at least 1 where known, 0 where not.
    pub len: u32,
}

/// A file that spans refer to.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user or a line marker gave it.
    pub name: String,
    /// Its text, where it could be read.
    pub text: Option<Arc<str>>,
    /// Offset of each line's first byte; line 1 stands at position 0.
    line_starts: Vec<usize>,
}

/// The files of a program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
}

impl SourceMap {
    /// No file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of the file with this name; added with `text` if it is new.
    pub fn add(&mut self, name: &str, text: impl FnOnce() -> Option<String>) -> FileId {
        let known = self.files.iter().position(|f| f.name == name);
        known.map(FileId::new).unwrap_or_else(|| {
            let text: Option<Arc<str>> = text().map(Arc::from);
            let newlines = text.iter().flat_map(|t| t.match_indices('\n'));
            let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
            self.files.push(SourceFile { name: name.to_string(), text, line_starts })
        })
    }

    /// The file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All files.
    pub fn files(&self) -> &IndexVec<FileId, SourceFile> {
        &self.files
    }

    /// The text of a line (1-based) without its end, where the file's text is known.
    pub fn line(&self, file: FileId, line: u32) -> Option<&str> {
        let file = self.files.get(file)?;
        let start = *file.line_starts.get(line.checked_sub(1)? as usize)?;
        file.text.as_deref()?[start..].lines().next()
    }

    /// `file:line:col`, the column in characters where the line is known, as compilers show it.
    pub fn show(&self, span: Span) -> String {
        let bytes = span.col.saturating_sub(1) as usize;
        let column = match self.line(span.file, span.line).and_then(|line| line.get(..bytes)) {
            Some(before) => before.chars().count() + 1,
            None => span.col as usize,
        };
        format!("{}:{}:{}", self.files[span.file].name, span.line, column)
    }

    /// `file:line`.
    pub fn show_line(&self, span: Span) -> String {
        format!("{}:{}", self.files[span.file].name, span.line)
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Work goes on.
    Warning,
    /// The input is refused: exit code 2.
    Error,
}

/// A message about the user's input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence that names the construct.
    pub message: String,
    /// The place, where there is one.
    pub span: Option<Span>,
    /// What to do about it, and other remarks.
    pub notes: Vec<String>,
    /// Remarks that end with another place.
    pub places: Vec<(String, Span)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::error_without_span(message) }
    }

    /// An error that belongs to no line.
    pub fn error_without_span(message: impl Into<String>) -> Self {
        let (notes, places) = (vec![], vec![]);
        Self { severity: Severity::Error, message: message.into(), span: None, notes, places }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds a remark, such as what to do.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a remark that ends with a place.
    #[must_use]
    pub fn note_at(mut self, note: impl Into<String>, place: Span) -> Self {
        self.places.push((note.into(), place));
        self
    }

    /// All remarks.
    fn remarks(&self, sources: &SourceMap) -> Vec<String> {
        let places = self.places.iter().map(|(n, at)| format!("{n} {}", sources.show(*at)));
        self.notes.iter().cloned().chain(places).collect()
    }

    /// The message with `file:line:col` and the source line underlined.
    pub fn render(&self, sources: &SourceMap) -> String {
        let word = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let Some(span) = self.span else {
            let mut out = format!("{word}: {}\n", self.message);
            for note in self.remarks(sources) {
                out += &format!("  = {note}\n");
            }
            return out;
        };
        let mut out = format!("{}: {word}: {}\n", sources.show(span), self.message);
        match snippet(self, span, sources) {
            Some(text) => out += &text,
            None => {
                self.remarks(sources).iter().for_each(|n| out += &format!("  = {n}\n"));
            }
        }
        out
    }
}

/// The source line underlined, in the manner of rustc, with the notes below.
fn snippet(d: &Diagnostic, span: Span, sources: &SourceMap) -> Option<String> {
    let file = sources.file(span.file);
    let text: &str = file.text.as_deref()?;
    let line = sources.line(span.file, span.line)?;
    let line_start = line.as_ptr() as usize - text.as_ptr() as usize;
    let boundary = |mut at: usize| {
        at = at.min(line_start + line.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(line_start + span.col.saturating_sub(1) as usize);
    let end = boundary(start + span.len.max(1) as usize).max(start);
    let mut files = SimpleFiles::new();
    let id = files.add(file.name.as_str(), text);
    let severity = match d.severity {
        Severity::Warning => cs::Severity::Warning,
        Severity::Error => cs::Severity::Error,
    };
    let message = cs::Diagnostic::new(severity)
        .with_message(&d.message)
        .with_labels(vec![cs::Label::primary(id, start..end)])
        .with_notes(d.remarks(sources));
    let rendered = term::emit_into_string(&term::Config::default(), &files, &message).ok()?;
    // The first line repeats the message, which `render` has already printed in gcc's form.
    Some(rendered.split_once('\n')?.1.trim_end().to_string() + "\n")
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_in_both_lines_of_a_message() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", || Some("/* é */ x;\n".to_owned()));
        let span = Span { file, line: 1, col: 10, len: 1 };
        let shown = Diagnostic::error(span, "no").render(&sources);
        assert!(shown.starts_with("a.c:1:9: error: no\n"), "{shown}");
        assert!(shown.contains("┌─ a.c:1:9\n"), "{shown}");
        assert_eq!(sources.show(Span { col: 3, line: 7, ..span }), "a.c:7:3");
    }
}
