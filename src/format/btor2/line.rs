//! Lines of a file as words.

use super::{ReadError, ReadErrorKind};

pub(super) type Result<T> = std::result::Result<T, ReadError>;

/// The rest of a line.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// Line number, 1-based.
    pub number: usize,
    words: std::str::SplitAsciiWhitespace<'a>,
}

/// The lines that are not blank, without comments.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Result<Line<'_>>> {
    let numbered = bytes.split(|&b| b == b'\n').enumerate();
    numbered.filter_map(|(k, bytes)| {
        let number = k + 1;
        let starts_comment = |at: usize| bytes[at] == b';' && (at == 0 || blank(bytes[at - 1]));
        let end = (0..bytes.len()).find(|&at| starts_comment(at)).unwrap_or(bytes.len());
        let bytes = &bytes[..end];
        if let Some(&b) = bytes.iter().find(|&&b| !b.is_ascii_graphic() && !blank(b)) {
            return Some(Err(ReadError { line: number, kind: ReadErrorKind::NotAscii(b) }));
        }
        let text = std::str::from_utf8(bytes).expect("it is ASCII");
        let words = text.split_ascii_whitespace();
        words.clone().next().map(|_| Ok(Line { number, words }))
    })
}

fn blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r')
}

/// A word for a message.
fn shown(word: &str) -> String {
    let mut text: String = word.chars().take(40).collect();
    if text.len() < word.len() {
        text.push_str("...");
    }
    text
}

impl<'a> Line<'a> {
    /// The next word, if there is one.
    pub fn optional(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next word.
    pub fn word(&mut self, what: &'static str) -> Result<&'a str> {
        match self.words.next() {
            Some(word) => Ok(word),
            None => self.error(ReadErrorKind::Expected(what, None)),
        }
    }

    /// The next word as a number.
    pub fn number(&mut self, what: &'static str) -> Result<u64> {
        let word = self.word(what)?;
        match word.parse() {
            Ok(n) if word.starts_with(|c: char| c.is_ascii_digit()) => Ok(n),
            _ => self.expected(what, word),
        }
    }

    /// The next word as the number of a node, which may be negated.
    pub fn node(&mut self) -> Result<(u64, bool)> {
        const WHAT: &str = "the number of a node";
        let word = self.word(WHAT)?;
        let (digits, negated) = match word.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (word, false),
        };
        match digits.parse() {
            Ok(n) if digits.starts_with(|c: char| c.is_ascii_digit()) => Ok((n, negated)),
            _ => self.expected(WHAT, word),
        }
    }

    /// Nothing but a symbol may be left; the symbol.
    pub fn symbol(&mut self) -> Result<Option<&'a str>> {
        let symbol = self.words.next();
        match self.words.next() {
            None => Ok(symbol),
            Some(word) => self.expected("the end of the line", word),
        }
    }

    pub fn error<T>(&self, kind: ReadErrorKind) -> Result<T> {
        Err(ReadError { line: self.number, kind })
    }

    /// An error about a word in place of something else.
    pub fn expected<T>(&self, what: &'static str, word: &str) -> Result<T> {
        self.error(ReadErrorKind::Expected(what, Some(shown(word))))
    }

    /// An error about a word that names nothing.
    pub fn unknown<T>(&self, word: &str) -> Result<T> {
        self.error(ReadErrorKind::Operator(shown(word)))
    }

    /// An error about a constant.
    pub fn bad_constant<T>(&self, word: &str) -> Result<T> {
        self.error(ReadErrorKind::Constant(shown(word)))
    }
}
