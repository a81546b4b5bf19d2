//! Finds the author's tokens behind preprocessed ones.
//!
//! The preprocessor keeps lines but not columns, and replaces macro calls by their expansions. On
//! each line, the longest common prefix and suffix of the author's tokens and the preprocessed
//! ones are the same tokens; what lies between is the expansion of what lies between.

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
        let rest = self.text.as_bytes()[offset..].iter();
        offset + rest.take_while(|b| **b != b'\n').count()
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
        let same = |i: usize, j: usize| self.token_text(&self.tokens[i]) == words[j];
        let shorter = own.len().min(words.len());
        let prefix = (0..shorter).take_while(|&k| same(own.start + k, k)).count();
        let suffix = (0..shorter - prefix)
            .take_while(|&k| same(own.end - 1 - k, words.len() - 1 - k))
            .count();
        let middle = self.balanced(own.start + prefix..own.end - suffix, own.clone());
        let prefix = middle.start - own.start;
        let suffix = own.end.saturating_sub(middle.end);
        let place =
            |t: Range<usize>| self.tokens[t.start].start as u32..self.tokens[t.end - 1].end as u32;
        let expansion = match (middle.is_empty(), middle.start) {
            (false, _) => place(middle),
            (true, at) if at > own.start => place(at - 1..at),
            (true, at) => place(at..at + 1),
        };
        let tail = words.len().saturating_sub(suffix);
        (0..words.len())
            .map(|k| match k {
                _ if k < prefix => place(own.start + k..own.start + k + 1),
                _ if k >= tail => {
                    let own = own.end + k - words.len();
                    place(own..own + 1)
                }
                _ => expansion.clone(),
            })
            .collect()
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

    /// Widens the tokens of a macro call until its brackets are balanced: to the left within the
    /// line, to the right also on further lines, where its arguments may go on.
    fn balanced(&self, part: Range<usize>, line: Range<usize>) -> Range<usize> {
        /// Farther than any macro call reaches.
        const FARTHEST: usize = 10_000;
        let Range { mut start, mut end } = part.clone();
        let weight = |i: usize| match self.token_text(&self.tokens[i]) {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        let mut open: i32 = part.clone().map(weight).sum();
        while open > 0 && end < self.tokens.len() && end < part.end + FARTHEST {
            open += weight(end);
            end += 1;
        }
        while open < 0 && start > line.start {
            start -= 1;
            open += weight(start);
        }
        // A block that begins on this line is not a macro call.
        if open == 0 { start..end } else { part }
    }
}
