//! Bytes to text: comments, directives and line splices go, line markers are read.
//!
//! gcc's output has neither comments nor splices; text that no preprocessor saw may have both.
//! Bytes that are not UTF-8 are accepted in comments, and in literals as octal escapes, so that
//! the literal keeps its value.

use super::rewrite::{OffsetMap, Rewriter};

/// A physical line of the raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// Offset of its first byte in the raw text.
    pub start: usize,
    /// The file that it comes from: position in [`Cleaned::names`].
    pub name: usize,
    /// Its line there, 1-based; 0 in lines that gcc makes up.
    pub line: u32,
    /// Whether it comes from a system header.
    pub system: bool,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Offset of the first byte concerned.
    pub at: usize,
    /// Number of bytes concerned.
    pub len: usize,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub note: Option<String>,
}

impl Problem {
    /// A problem of `len` bytes at `at`.
    pub fn new(at: usize, len: usize, message: impl Into<String>) -> Self {
        Self { at, len, message: message.into(), note: None }
    }

    /// With a remark on what to do.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// Text without comments, directives and splices.
#[derive(Debug)]
pub struct Cleaned {
    /// The text. Lines stay lines, except spliced ones.
    pub text: String,
    /// Offsets of `text` to offsets of the raw bytes.
    pub map: OffsetMap,
    /// All physical lines in order.
    pub lines: Vec<RawLine>,
    /// File names of line markers; the first is the raw text's own.
    pub names: Vec<String>,
    /// The first problem, if there is one; `text` goes on behind it all the same.
    pub problem: Option<Problem>,
}

/// Cleans the text `raw` of the file `name`.
pub fn clean(name: &str, raw: &[u8]) -> Cleaned {
    let mut c = Cleaner {
        raw,
        at: 0,
        out: Rewriter::default(),
        lines: vec![],
        names: vec![name.to_string()],
        name: 0,
        line: 1,
        system: false,
        problem: None,
    };
    c.run();
    let (text, map) = c.out.finish();
    Cleaned { text, map, lines: c.lines, names: c.names, problem: c.problem }
}

/// The raw bytes as text of the same length, for showing them.
pub fn displayable(raw: &[u8]) -> String {
    let mut out = String::with_capacity(raw.len());
    for chunk in raw.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    out
}

/// Whitespace to C, though not to `is_ascii_whitespace`.
const VERTICAL_TAB: u8 = 0x0b;

struct Cleaner<'a> {
    raw: &'a [u8],
    at: usize,
    out: Rewriter,
    lines: Vec<RawLine>,
    names: Vec<String>,
    /// Current file, a position in `names`.
    name: usize,
    /// Number of the current line.
    line: u32,
    system: bool,
    problem: Option<Problem>,
}

impl Cleaner<'_> {
    fn run(&mut self) {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if self.raw.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len();
        }
        self.begin_line();
        self.directive();
        while self.at < self.raw.len() {
            self.step();
        }
    }

    /// Handles what stands at the current position, which is outside of literals and comments.
    fn step(&mut self) {
        match (self.raw[self.at], self.peek(1)) {
            (b'\n', _) => {
                self.newline();
                self.directive();
            }
            (b'\\', _) if self.splice() => {}
            (b'/', b'*') => self.block_comment(),
            (b'/', b'/') => {
                let end = self.logical_line_end();
                self.blank_to(end);
            }
            (b'"' | b'\'', _) => self.literal(),
            (b, _) if b.is_ascii_whitespace() || b == VERTICAL_TAB => self.blank_to(self.at + 1),
            (0, _) => self.refuse(1, "a NUL byte: this is not C text"),
            (b, _) if b < 0x80 => self.copy(1),
            _ => match first_char(&self.raw[self.at..]) {
                Some(c) => {
                    let what = format!("character `{c}` outside of literals and comments");
                    self.refuse(c.len_utf8(), &what);
                }
                None => self.refuse(1, "a byte that is not UTF-8 outside of literals and comments"),
            },
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.raw.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Records a problem of `len` bytes here and skips them.
    fn refuse(&mut self, len: usize, message: &str) {
        self.report(Problem::new(self.at, len, message));
        self.blank_to(self.at + len);
    }

    fn report(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    fn begin_line(&mut self) {
        let (start, name, line, system) = (self.at, self.name, self.line, self.system);
        self.lines.push(RawLine { start, name, line, system });
    }

    /// Copies `len` ASCII bytes.
    fn copy(&mut self, len: usize) {
        let bytes = &self.raw[self.at..self.at + len];
        let text = std::str::from_utf8(bytes).expect("only whole characters are copied");
        self.out.copy(text, self.at);
        self.at += len;
    }

    fn newline(&mut self) {
        self.copy(1);
        self.line = self.line.saturating_add(1);
        self.begin_line();
    }

    /// Skips a backslash-newline, if one is here.
    fn splice(&mut self) -> bool {
        let Some(len) = splice_len(&self.raw[self.at..]) else { return false };
        self.at += len;
        self.line = self.line.saturating_add(1);
        self.begin_line();
        true
    }

    /// Turns everything up to `end` into spaces; lines stay.
    fn blank_to(&mut self, end: usize) {
        while self.at < end {
            if self.raw[self.at] == b'\n' {
                self.newline();
            } else {
                self.out.copy(" ", self.at);
                self.at += 1;
            }
        }
    }

    fn block_comment(&mut self) {
        let body = &self.raw[self.at + 2..];
        match body.windows(2).position(|w| w == b"*/") {
            Some(len) => self.blank_to(self.at + 2 + len + 2),
            None => {
                self.report(Problem::new(self.at, 2, "this comment is never closed"));
                self.blank_to(self.raw.len());
            }
        }
    }

    /// Offset of the newline that ends the current line, splices included.
    fn logical_line_end(&self) -> usize {
        let mut at = self.at;
        while at < self.raw.len() && self.raw[at] != b'\n' {
            at += splice_len(&self.raw[at..]).unwrap_or(1);
        }
        at
    }

    fn literal(&mut self) {
        let quote = self.raw[self.at];
        let open = self.at;
        self.copy(1);
        while self.at < self.raw.len() && self.raw[self.at] != b'\n' {
            if self.splice() {
                continue;
            }
            match self.raw[self.at] {
                b if b == quote => return self.copy(1),
                b'\\' if matches!(self.peek(1), 0x01..=0x7f) && self.peek(1) != b'\n' => {
                    self.copy(2);
                }
                b'\\' => self.at += 1,
                0 => self.refuse(1, "a NUL byte: this is not C text"),
                b if b < 0x80 => self.copy(1),
                b => match first_char(&self.raw[self.at..]) {
                    Some(c) => self.copy(c.len_utf8()),
                    None => {
                        self.out.insert(&format!("\\{b:03o}"), self.at);
                        self.at += 1;
                    }
                },
            }
        }
        let what = if quote == b'"' { "string" } else { "character constant" };
        self.report(Problem::new(open, self.at - open, format!("this {what} is never closed")));
    }

    /// Handles the directive that begins on this line, if one does: reads a line marker, drops
    /// what cannot change the program, and reports the rest.
    fn directive(&mut self) {
        let indent = self.raw[self.at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if self.peek(indent) != b'#' {
            return;
        }
        let (start, end) = (self.at, self.logical_line_end());
        let body = String::from_utf8_lossy(&self.raw[start + indent + 1..end]).into_owned();
        self.blank_to(end);
        let body = body.trim();
        let word: String = body.chars().take_while(char::is_ascii_alphanumeric).collect();
        match word.as_str() {
            "line" => self.line_marker(body["line".len()..].trim_start()),
            w if w.starts_with(|c: char| c.is_ascii_digit()) => self.line_marker(body),
            "pragma" => {
                if let Some(message) = refused_pragma(&body["pragma".len()..]) {
                    self.report(Problem::new(start + indent, end - start - indent, message));
                }
            }
            "" | "ident" | "sccs" => {}
            w => {
                let message = format!("directive `#{w}` in text that should be preprocessed");
                let problem = Problem::new(start + indent, 1 + w.len(), message);
                self.report(problem.note("give the file the ending .c to have it preprocessed"));
            }
        }
    }

    /// `N "file" flags`: the next line is line N of that file.
    fn line_marker(&mut self, marker: &str) {
        let (number, rest) = marker.split_once([' ', '\t']).unwrap_or((marker, ""));
        let Ok(number) = number.parse::<u32>() else { return };
        if let Some((name, flags)) = quoted(rest.trim_start()) {
            self.system = flags.split_whitespace().any(|f| f == "3");
            self.name = self.names.iter().position(|n| *n == name).unwrap_or_else(|| {
                self.names.push(name);
                self.names.len() - 1
            });
        }
        // The newline that ends the marker adds one; `# 0` is only followed by other markers.
        self.line = number.saturating_sub(1);
    }
}

/// Why a pragma may not be ignored.
pub fn refused_pragma(pragma: &str) -> Option<&'static str> {
    let squeezed: String = pragma.split_whitespace().collect();
    let harmless = ["pack()", "pack(pop)"];
    (squeezed.starts_with("pack") && !harmless.contains(&squeezed.as_str()))
        .then_some("packed structs (`#pragma pack`) are not modelled")
}

/// Length of the backslash-newline that `bytes` begins with.
fn splice_len(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\\', b'\n', ..] => Some(2),
        [b'\\', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

/// The first character of `bytes`, if it is UTF-8.
fn first_char(bytes: &[u8]) -> Option<char> {
    let chunk = bytes[..bytes.len().min(4)].utf8_chunks().next()?;
    chunk.valid().chars().next()
}

/// The contents of the string literal that `text` begins with, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text.strip_prefix('"')?.as_bytes();
    loop {
        match rest {
            [b'"', tail @ ..] => {
                let name = String::from_utf8_lossy(&bytes).into_owned();
                return Some((name, std::str::from_utf8(tail).ok()?));
            }
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..] => {
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = tail;
            }
            [b'\\', b, tail @ ..] | [b, tail @ ..] => {
                bytes.push(*b);
                rest = tail;
            }
            [] => return None,
        }
    }
}
