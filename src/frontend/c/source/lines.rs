//! From offsets of the parsed text to places in the author's files.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::align::{Original, Place};
use super::clean::{Cleaned, displayable};
use super::rewrite::OffsetMap;
use super::token::Token;
use crate::base::{FileId, Id, SourceMap, Span};

/// Files larger than this many bytes are not read for display.
const LARGEST_FILE: u64 = 1 << 26;
/// Texts with lines beyond this are not put together from preprocessed lines.
const LAST_REBUILT_LINE: u32 = 1 << 20;

/// Leads spans of lang-c back to the author's files.
#[derive(Debug)]
pub struct LineTable {
    /// What lang-c parsed.
    parsed: Arc<str>,
    /// Offsets of `parsed` to offsets of the clean text, and those to offsets of the raw text.
    to_clean: OffsetMap,
    to_raw: OffsetMap,
    /// Physical lines of the raw text in order.
    lines: Vec<Line>,
    /// All tokens in order.
    tokens: Vec<Placed>,
    /// The author's files, by the index of their `FileId`, where text and use make it worth it.
    originals: Vec<Option<Original>>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Offset of the first byte in the raw text.
    start: usize,
    file: FileId,
    line: u32,
}

#[derive(Clone, Debug)]
struct Placed {
    /// Bytes of the raw text.
    raw: Range<usize>,
    file: FileId,
    line: u32,
    /// Column in the raw text, 1-based.
    col: u32,
    /// The author's text behind it, where that is known.
    place: Option<Place>,
}

impl LineTable {
    /// The table of a cleaned text. The files that its line markers name are added to `sources`.
    /// Until [`Self::set_parsed`], spans are offsets of the clean text.
    pub fn new(cleaned: &Cleaned, tokens: &[Token], sources: &mut SourceMap) -> Self {
        let files: Vec<FileId> = (0..cleaned.names.len())
            .map(|i| sources.add(&cleaned.names[i], || file_text(cleaned, i)))
            .collect();
        let lines: Vec<Line> = (cleaned.lines.iter())
            .map(|l| Line { start: l.start, file: files[l.name], line: l.line })
            .collect();
        let mut table = Self {
            parsed: Arc::from(cleaned.text.as_str()),
            to_clean: OffsetMap::default(),
            to_raw: cleaned.map.clone(),
            lines,
            tokens: vec![],
            originals: vec![],
        };
        table.originals.resize_with(sources.files().len(), || None);
        for line in cleaned.lines.iter().filter(|l| !l.system) {
            let slot = &mut table.originals[Id::index(files[line.name])];
            if slot.is_none() && line.line > 0 {
                let text = sources.file(files[line.name]).text.clone();
                *slot = text.map(Original::new);
            }
        }
        table.tokens = tokens.iter().map(|t| table.unplaced(t)).collect();
        table.place(&cleaned.text, tokens);
        table
    }

    /// From now on spans are offsets of `parsed`, which `map` leads back to the clean text.
    pub fn set_parsed(&mut self, parsed: Arc<str>, map: OffsetMap) {
        self.parsed = parsed;
        self.to_clean = map;
    }

    /// The place of a node in the author's file; its length ends with its first line.
    pub fn span(&self, s: lang_c::span::Span) -> Span {
        let Some(raw) = self.raw_range(s) else { return self.line_span(usize::MAX, 0) };
        let tokens = self.covered(&raw);
        match &self.tokens[tokens.clone()] {
            [first, ..] if first.raw.start < raw.end => {
                self.token_span(first, &self.tokens[tokens.end - 1])
            }
            _ => self.line_span(raw.start, raw.len()),
        }
    }

    /// The text of a node on one line: as the author wrote it where that is known (macros not
    /// expanded), whitespace collapsed.
    pub fn text(&self, s: lang_c::span::Span) -> String {
        if let Some(tokens) = self.raw_range(s).map(|raw| self.covered(&raw))
            && let [first, ..] = &self.tokens[tokens.clone()]
            && let last = &self.tokens[tokens.end - 1]
            && let (Some(start), Some(end)) = (&first.place, &last.place)
            && first.file == last.file
            && start.start < end.end
            && let Some(original) = self.original(first.file)
        {
            return original.collapsed(start.start as usize, end.end as usize);
        }
        let range = s.start.min(self.parsed.len())..s.end.min(self.parsed.len());
        let text = self.parsed.get(range).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The place of an offset of the clean text.
    pub fn clean_span(&self, start: usize, len: usize) -> Span {
        let from = self.to_raw.to_input(start);
        let last = self.to_raw.to_input(start + len.max(1) - 1);
        self.raw_span(from, (last + 1).saturating_sub(from))
    }

    /// The place of `len` bytes of the raw text.
    pub fn raw_span(&self, start: usize, len: usize) -> Span {
        let tokens = self.covered(&(start..start.saturating_add(len.max(1))));
        match &self.tokens[tokens.clone()] {
            [first, ..] if first.raw.start <= start => {
                self.token_span(first, &self.tokens[tokens.end - 1])
            }
            _ => self.line_span(start, len),
        }
    }

    /// The place of what stands between tokens: column as in the raw text.
    fn line_span(&self, start: usize, len: usize) -> Span {
        let at = self.lines.partition_point(|l| l.start <= start).max(1) - 1;
        let line = self.lines[at];
        let next = self.lines.get(at + 1).map_or(usize::MAX, |l| l.start - 1);
        let col = start.min(next).saturating_sub(line.start);
        let len = len.min(next.saturating_sub(start));
        Span {
            file: line.file,
            line: line.line.max(1),
            // A position beyond the end of the text has no column of its own.
            col: u32::try_from(col).map_or(1, |c| c.saturating_add(1)),
            len: u32::try_from(len).unwrap_or(0),
        }
    }

    fn token_span(&self, first: &Placed, last: &Placed) -> Span {
        if let Some(place) = &first.place
            && let Some(original) = self.original(first.file)
        {
            let start = place.start as usize;
            let (line, col) = original.line_col(start);
            let end = match &last.place {
                Some(p) if last.file == first.file && p.end as usize > start => p.end as usize,
                _ => place.end as usize,
            };
            let len = end.min(original.line_end(start)).saturating_sub(start).max(1);
            return Span { file: first.file, line, col, len: len as u32 };
        }
        let same_line = (last.file, last.line) == (first.file, first.line);
        let end = if same_line { last.raw.end } else { first.raw.end };
        let len = end.saturating_sub(first.raw.start).max(1) as u32;
        Span { file: first.file, line: first.line.max(1), col: first.col, len }
    }

    fn original(&self, file: FileId) -> Option<&Original> {
        self.originals.get(Id::index(file))?.as_ref()
    }

    /// The raw bytes behind a span of lang-c.
    fn raw_range(&self, s: lang_c::span::Span) -> Option<Range<usize>> {
        if s.is_none() || s.start > self.parsed.len() {
            return None;
        }
        let raw = |offset: usize| self.to_raw.to_input(self.to_clean.to_input(offset));
        let start = raw(s.start);
        let end = if s.end > s.start { raw(s.end - 1) + 1 } else { start };
        Some(start..end.max(start))
    }

    /// Positions of the tokens that overlap a raw range, at least the one at or behind its start.
    fn covered(&self, raw: &Range<usize>) -> Range<usize> {
        let first = self.tokens.partition_point(|t| t.raw.end <= raw.start);
        let last = self.tokens.partition_point(|t| t.raw.start < raw.end);
        first..last.max(first + 1).min(self.tokens.len()).max(first)
    }

    fn unplaced(&self, token: &Token) -> Placed {
        let start = self.to_raw.to_input(token.start);
        let end = self.to_raw.to_input(token.end - 1) + 1;
        let line = self.lines[self.lines.partition_point(|l| l.start <= start).max(1) - 1];
        let col = (start - line.start) as u32 + 1;
        Placed { raw: start..end, file: line.file, line: line.line, col, place: None }
    }

    /// Finds the author's text behind the tokens, line by line.
    fn place(&mut self, clean: &str, tokens: &[Token]) {
        let mut start = 0;
        while start < tokens.len() {
            let (file, line) = (self.tokens[start].file, self.tokens[start].line);
            let same = self.tokens[start..].iter().take_while(|t| (t.file, t.line) == (file, line));
            let end = start + same.count();
            if let Some(original) = self.original(file) {
                let words: Vec<&str> = tokens[start..end].iter().map(|t| t.text(clean)).collect();
                let places = original.align(line, &words);
                for (token, place) in self.tokens[start..end].iter_mut().zip(places) {
                    token.place = Some(place);
                }
            }
            start = end;
        }
    }
}

/// The text of the file that a line marker names: read, or put together from the preprocessed
/// lines where it is not there any more.
fn file_text(cleaned: &Cleaned, name: usize) -> Option<String> {
    let path = &cleaned.names[name];
    if path.starts_with('<') || path.ends_with('/') {
        return None;
    }
    read_for_display(Path::new(path)).or_else(|| rebuilt(cleaned, name))
}

/// The text of a regular file of moderate size.
pub fn read_for_display(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > LARGEST_FILE {
        return None;
    }
    fs::read(path).ok().map(|raw| displayable(&raw))
}

fn rebuilt(cleaned: &Cleaned, name: usize) -> Option<String> {
    if !cleaned.lines.iter().any(|l| l.name == name && !l.system) {
        return None;
    }
    let mut text: Vec<String> = vec![];
    let mut clean_lines = vec![String::new(); cleaned.lines.len()];
    for (offset, c) in cleaned.text.char_indices() {
        let raw = cleaned.map.to_input(offset);
        let at = cleaned.lines.partition_point(|l| l.start <= raw).max(1) - 1;
        if c != '\n' {
            clean_lines[at].push(c);
        }
    }
    for (line, contents) in cleaned.lines.iter().zip(clean_lines) {
        if line.name != name || line.line == 0 || line.system || contents.trim().is_empty() {
            continue;
        }
        if line.line > LAST_REBUILT_LINE {
            return None;
        }
        let at = line.line as usize - 1;
        text.resize(text.len().max(at + 1), String::new());
        text[at] = if text[at].is_empty() { contents } else { text[at].clone() + " " + &contents };
    }
    Some(text.join("\n") + "\n")
}
