//! Tokens of clean C text.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Identifier or keyword.
    Word,
    /// Preprocessing number.
    Number,
    /// String literal with its prefix.
    String,
    /// Character constant with its prefix.
    Char,
    /// Operator, bracket, or a character that C does not know.
    Punct,
}

/// A token of a text, as a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Token {
    /// The token's text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// Punctuators longer than one byte, longest first.
const LONG_PUNCTUATORS: &[&str] = &[
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

/// Splits text that has no comments and no directives into tokens.
pub fn tokenize(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, end) = token_at(text, at);
        tokens.push(Token { kind, start: at, end });
        at = end;
    }
    tokens
}

fn token_at(text: &str, at: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let next = |i: usize| bytes.get(i).copied().unwrap_or(0);
    match bytes[at] {
        b'"' => (Kind::String, literal_end(bytes, at)),
        b'\'' => (Kind::Char, literal_end(bytes, at)),
        b if is_word(b) && !b.is_ascii_digit() => {
            let end = (at..bytes.len()).find(|&i| !is_word(bytes[i])).unwrap_or(bytes.len());
            match (&text[at..end], next(end)) {
                ("L" | "u" | "U" | "u8", b'"') => (Kind::String, literal_end(bytes, end)),
                ("L" | "u" | "U" | "u8", b'\'') => (Kind::Char, literal_end(bytes, end)),
                _ => (Kind::Word, end),
            }
        }
        b if b.is_ascii_digit() || b == b'.' && next(at + 1).is_ascii_digit() => {
            (Kind::Number, number_end(bytes, at))
        }
        _ => {
            let long = LONG_PUNCTUATORS.iter().find(|p| text[at..].starts_with(**p));
            let single = || text[at..].chars().next().map_or(1, char::len_utf8);
            (Kind::Punct, at + long.map_or_else(single, |p| p.len()))
        }
    }
}

/// Whether a byte may stand in an identifier; bytes beyond ASCII may, as in extended identifiers.
pub fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

/// One past the end of the literal whose quote stands at `open`; an unterminated one ends before
/// its line does.
fn literal_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => return at,
            b'\\' if at + 1 < bytes.len() && bytes[at + 1] != b'\n' => at += 2,
            b if b == bytes[open] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// One past the end of the preprocessing number at `at`.
fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let exponent = matches!(bytes[at], b'e' | b'E' | b'p' | b'P');
        if exponent && matches!(bytes.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if is_word(bytes[at]) || bytes[at] == b'.' {
            at += 1;
        } else {
            break;
        }
    }
    at
}
