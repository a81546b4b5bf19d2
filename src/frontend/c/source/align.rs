//! Finds the author's tokens behind preprocessed ones.
//!
//! The preprocessor keeps lines but not columns, and replaces macro calls by their expansions. On
//! each line the author's tokens and the preprocessed ones are walked together: equal ones are the
//! same; where they differ a macro call stands, and its expansion ends where both agree again.
//! A wrong guess (macros can do anything) costs a column, never a line.

use std::ops::Range;
use std::sync::Arc;

use super::clean::clean;
use super::token::{Token, tokenize};

/// Bytes `start..end` of the author's file.
pub type Place = Range<u32>;

/// A file as its author wrote it, in tokens.
#[derive(Debug)]
pub struct Original {
    /// Its text.
    pub text: Arc<str>,
    /// Offset of each line's first byte; line 1 stands at position 0.
    line_starts: Vec<usize>,
    /// Tokens with offsets of `text`, in order.
    tokens: Vec<Token>,
}

impl Original {
    /// Splits a file's text into tokens.
    pub fn new(text: Arc<str>) -> Self {
        let cleaned = clean("", text.as_bytes());
        let mut tokens = tokenize(&cleaned.text);
        for t in &mut tokens {
            let (first, last) = (cleaned.map.to_input(t.start), cleaned.map.to_input(t.end - 1));
            (t.start, t.end) = (first, last + 1);
        }
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(i, _)| i + 1)).collect();
        Self { text, line_starts, tokens }
    }

    /// Line and column, both 1-based, of an offset.
    pub fn line_col(&self, offset: usize) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&s| s <= offset);
        let start = self.line_starts[line - 1];
        (line as u32, (offset - start) as u32 + 1)
    }

    /// Offset one past the last byte of the line that `offset` stands on, its newline excluded.
    pub fn line_end(&self, offset: usize) -> usize {
        let next = self.line_starts.partition_point(|&s| s <= offset);
        self.line_starts.get(next).map_or(self.text.len(), |s| s - 1)
    }

    /// The tokens that begin within `start..end`, joined by one space where the author had any.
    pub fn collapsed(&self, start: usize, end: usize) -> String {
        let first = self.tokens.partition_point(|t| t.start < start);
        let mut out = String::new();
        let mut previous_end = None;
        for t in self.tokens[first..].iter().take_while(|t| t.start < end) {
            if previous_end.is_some_and(|e| e < t.start) {
                out.push(' ');
            }
            out.push_str(self.token_text(t));
            previous_end = Some(t.end);
        }
        out
    }

    /// The places of the preprocessed tokens `words`, which come from line `line`; empty if the
    /// author's line has no tokens.
    pub fn align(&self, line: u32, words: &[&str]) -> Vec<Place> {
        let own = self.line_tokens(line);
        if own.is_empty() {
            return vec![];
        }
        let mut found: Vec<Range<usize>> = Vec::with_capacity(words.len());
        let mut at = own.start;
        while at < own.end && found.len() < words.len() {
            if self.is(at, words[found.len()]) {
                found.push(at..at + 1);
                at += 1;
                continue;
            }
            let call = self.macro_call(at);
            let Some(behind) = self.resume(call.end..own.end, words, found.len()) else { break };
            found.resize(behind, call.clone());
            at = call.end;
        }
        self.align_rest(at, own, words, &mut found);
        let place =
            |t: Range<usize>| self.tokens[t.start].start as u32..self.tokens[t.end - 1].end as u32;
        found.into_iter().map(place).collect()
    }

    /// Where the words `words[from..]` come from of which nothing is known but that they begin
    /// with an expansion of what stands at `at`: the last ones are the last ones of the line, all
    /// others are one expansion.
    fn align_rest(
        &self,
        at: usize,
        own: Range<usize>,
        words: &[&str],
        found: &mut Vec<Range<usize>>,
    ) {
        let shorter = (own.end - at).min(words.len() - found.len());
        let suffix = (0..shorter)
            .take_while(|&k| self.is(own.end - 1 - k, words[words.len() - 1 - k]))
            .count();
        let middle = self.balanced(at..own.end - suffix);
        let expansion = match middle.is_empty() {
            false => middle,
            true if at > own.start => at - 1..at,
            true => at..at + 1,
        };
        found.resize(words.len() - suffix, expansion);
        found.extend((own.end - suffix..own.end).map(|i| i..i + 1));
    }

    /// The tokens of a macro call that begins at `at`: a name, with its arguments where some
    /// follow.
    fn macro_call(&self, at: usize) -> Range<usize> {
        match self.tokens.get(at + 1) {
            Some(_) if self.is(at + 1, "(") => at..self.balanced(at..at + 2).end,
            _ => at..at + 1,
        }
    }

    /// The position in `words`, from `from` on, where an expansion ends and the author's tokens
    /// `rest` go on: the longest agreement, outside of brackets that the expansion opened.
    fn resume(&self, rest: Range<usize>, words: &[&str], from: usize) -> Option<usize> {
        if rest.is_empty() {
            return None;
        }
        let mut best = (0, None);
        let mut depth = 0;
        for (behind, word) in words.iter().enumerate().skip(from) {
            if depth == 0 {
                let pairs = rest.clone().zip(&words[behind..]);
                let agreement = pairs.take_while(|(i, w)| self.is(*i, w)).count();
                if agreement > best.0 {
                    best = (agreement, Some(behind));
                }
            }
            depth += weight(word);
            if depth < 0 {
                break;
            }
        }
        best.1
    }

    fn is(&self, token: usize, word: &str) -> bool {
        self.token_text(&self.tokens[token]) == word
    }

    fn token_text(&self, token: &Token) -> &str {
        &self.text[token.start..token.end]
    }

    /// Positions of the tokens that begin on a line.
    fn line_tokens(&self, line: u32) -> Range<usize> {
        let number = line as usize;
        let Some(&start) = number.checked_sub(1).and_then(|i| self.line_starts.get(i)) else {
            return 0..0;
        };
        let end = self.line_starts.get(number).copied().unwrap_or(self.text.len());
        self.tokens.partition_point(|t| t.start < start)
            ..self.tokens.partition_point(|t| t.start < end)
    }

    /// Widens `part` to the right until its brackets are balanced, also beyond its line, where
    /// arguments of a macro may go on.
    fn balanced(&self, part: Range<usize>) -> Range<usize> {
        /// Farther than any macro call reaches.
        const FARTHEST: usize = 10_000;
        let weight = |i: usize| weight(self.token_text(&self.tokens[i]));
        let mut open: i32 = part.clone().map(weight).sum();
        let mut end = part.end;
        while open > 0 && end < self.tokens.len() && end < part.end + FARTHEST {
            open += weight(end);
            end += 1;
        }
        // A block that is never closed nearby is no macro call.
        if open == 0 { part.start..end } else { part }
    }
}

/// How many brackets a token opens.
fn weight(word: &str) -> i32 {
    match word {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}
