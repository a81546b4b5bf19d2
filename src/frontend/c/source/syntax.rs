//! lang-c's syntax errors in readable form.
//!
//! lang-c knows only where it could not go on and up to 35 tokens that would have helped. The
//! tokens around the place tell more.

use std::collections::HashSet;

use super::clean::Problem;
use super::repair::{begins_declaration, is_identifier, typedef_names};
use super::token::Token;

/// Explains a syntax error at `offset` of the clean `text`.
pub fn explain(
    text: &str,
    tokens: &[Token],
    partners: &[usize],
    offset: usize,
    expected: &HashSet<&'static str>,
) -> Problem {
    let at = tokens.partition_point(|t| t.end <= offset);
    let Some(token) = tokens.get(at) else {
        let (start, len) = tokens.last().map_or((0, 0), |t| (t.start, t.end - t.start));
        return Problem::new(start, len, "the text ends in the middle of a declaration");
    };
    let around = Around { text, tokens, at };
    if let Some(what) = around.construct() {
        return Problem::new(token.start, token.end - token.start, what);
    }
    let typedefs = typedef_names(text, tokens, partners);
    if let Some(i) = around.unknown_type(&typedefs) {
        let name = tokens[i].text(text);
        return Problem::new(tokens[i].start, name.len(), format!("unknown type name `{name}`"))
            .note("is the header that declares it included?");
    }
    let word = token.text(text);
    let problem =
        Problem::new(token.start, word.len(), format!("syntax error near `{}`", shown(word)));
    let new_line = at > 0 && text[tokens[at - 1].end..token.start].contains('\n');
    match (new_line && expected.contains(";"), word) {
        (true, _) => problem.note("a `;` may be missing before it"),
        (_, "{") if around.word_before(1) == ")" => {
            problem.note("functions within functions are not supported")
        }
        _ => problem,
    }
}

/// A token as a message shows it.
fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    }
}

/// The tokens around an error.
struct Around<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Around<'a> {
    fn word(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |t| t.text(self.text))
    }

    fn word_before(&self, back: usize) -> &'a str {
        self.at.checked_sub(back).map_or("", |i| self.word(i))
    }

    /// The construct behind the error, where it is one that lang-c does not know.
    fn construct(&self) -> Option<&'static str> {
        let (before, word) = (self.word_before(1), self.word(self.at));
        let near = |wanted: fn(&str) -> bool| (0..5).any(|back| wanted(self.word_before(back)));
        Some(match (before, word) {
            _ if near(|w| matches!(w, "asm" | "__asm__" | "__asm")) => {
                "inline assembly is not supported"
            }
            _ if near(|w| w == "_BitInt") => "`_BitInt` is not supported",
            (_, "__builtin_types_compatible_p") | ("__builtin_types_compatible_p", _) => {
                "`__builtin_types_compatible_p` is not supported"
            }
            (_, "__real__" | "__imag__") => "complex numbers are not supported",
            ("enum", "__attribute__") => "attributes of an enum are not supported",
            ("_Alignof" | "__alignof__", _) => "the alignment of an expression is not supported",
            _ => return None,
        })
    }

    /// Position of an identifier that stands where only a type name makes sense.
    fn unknown_type(&self, typedefs: &HashSet<&str>) -> Option<usize> {
        let candidates = [Some(self.at), self.at.checked_sub(1), self.at.checked_sub(2)];
        candidates.into_iter().flatten().find(|&i| {
            let Some(token) = self.tokens.get(i) else { return false };
            let before = i.checked_sub(1).map_or("", |j| self.word(j));
            let starts = matches!(before, "" | ";" | "{" | "}" | "(" | "," | ":" | "const")
                || begins_declaration(before) && matches!(before, "static" | "extern" | "volatile");
            let next = self.tokens.get(i + 1);
            let names = next.is_some_and(|n| is_identifier(n, self.text))
                || self.word(i + 1) == "*"
                || self.word(i + 1) == ")" && before == "(" && i == self.at;
            is_identifier(token, self.text)
                && starts
                && names
                && !typedefs.contains(token.text(self.text))
        })
    }
}
