//! Brackets paired, and nesting bounded.
//!
//! lang-c and everything behind it recurse over the tree, so its depth is bounded here, by an
//! estimate from tokens that is never below the depth of the tree. Text that ends early is found
//! here too: some bracket stays open.

use super::clean::Problem;
use super::token::{Kind, Token};

/// Brackets that may be open at once.
const MAX_BRACKETS: usize = 256;
/// Operators and unbraced statements that may be nested or chained, over all open brackets.
const MAX_CHAIN: usize = 1500;

/// For each token that is a bracket the position of its partner; for others their own position.
pub type Partners = Vec<usize>;

/// Pairs all brackets of `tokens`.
///
/// # Errors
/// A bracket without partner, or nesting beyond the limits; the position is an offset of `text`.
pub fn pair_brackets(text: &str, tokens: &[Token]) -> Result<Partners, Problem> {
    let mut walk = Walk { text, tokens, partners: (0..tokens.len()).collect(), levels: vec![] };
    walk.levels.push(Level::default());
    for i in 0..tokens.len() {
        walk.visit(i)?;
    }
    match walk.levels.last() {
        Some(Level { open: Some(open), .. }) => Err(unclosed(text, tokens, *open)),
        _ => Ok(walk.partners),
    }
}

/// An open bracket and what is chained within it.
#[derive(Default)]
struct Level {
    /// Position of the opening token; none outside of all brackets.
    open: Option<usize>,
    /// Chain length of all enclosing levels.
    outer: usize,
    /// Operators since the last `,` or `;` at this level.
    operators: usize,
    /// Statements begun within one another without braces.
    statements: usize,
}

impl Level {
    fn chain(&self) -> usize {
        self.outer + self.operators + self.statements
    }
}

struct Walk<'a> {
    text: &'a str,
    tokens: &'a [Token],
    partners: Partners,
    /// Open brackets, the outermost level first; never empty.
    levels: Vec<Level>,
}

impl Walk<'_> {
    fn visit(&mut self, i: usize) -> Result<(), Problem> {
        let token = self.tokens[i];
        let word = standard(token.text(self.text));
        let level = self.levels.last_mut().expect("the outermost level stays");
        match word {
            "(" | "[" | "{" => return self.open(i),
            ")" | "]" | "}" => return self.close(i, word),
            "," => level.operators = 0,
            ";" => self.end_statement(i),
            "if" | "else" | "while" | "for" | "do" | "switch" => level.statements += 1,
            "sizeof" => level.operators += 1,
            _ if token.kind == Kind::Punct => level.operators += 1,
            _ => {}
        }
        if self.levels.last().is_some_and(|l| l.chain() > MAX_CHAIN) {
            let message = format!("more than {MAX_CHAIN} operators or statements in one another");
            return Err(Problem::new(token.start, word.len(), message)
                .note("split the expression or the chain of statements"));
        }
        Ok(())
    }

    fn open(&mut self, i: usize) -> Result<(), Problem> {
        if self.levels.len() > MAX_BRACKETS {
            let message = format!("brackets nested deeper than {MAX_BRACKETS}");
            return Err(Problem::new(self.tokens[i].start, 1, message));
        }
        let level = self.levels.last_mut().expect("the outermost level stays");
        level.operators += 1;
        let outer = level.chain();
        self.levels.push(Level { open: Some(i), outer, ..Level::default() });
        Ok(())
    }

    fn close(&mut self, i: usize, word: &str) -> Result<(), Problem> {
        let open = self.levels.last().and_then(|l| l.open);
        let Some(open) = open.filter(|o| self.matches(*o, word)) else {
            return Err(wrong_bracket(self.text, self.tokens, open, i));
        };
        self.levels.pop();
        self.partners[open] = i;
        self.partners[i] = open;
        if word == "}" && !opens_compound_literal(self.text, self.tokens, &self.partners, open) {
            self.end_statement(i);
        }
        Ok(())
    }

    fn matches(&self, open: usize, close: &str) -> bool {
        let open = standard(self.tokens[open].text(self.text));
        matches!((open, close), ("(", ")") | ("[", "]") | ("{", "}"))
    }

    /// Ends the statement whose last token is at `i` unless an `else` carries its chain on.
    fn end_statement(&mut self, i: usize) {
        let level = self.levels.last_mut().expect("the outermost level stays");
        level.operators = 0;
        if self.tokens.get(i + 1).is_none_or(|t| t.text(self.text) != "else") {
            level.statements = 0;
        }
    }
}

/// Whether the `{` at `brace` begins the contents of a compound literal: it follows the
/// parenthesis of a type that stands where an operand may.
pub fn opens_compound_literal(
    text: &str,
    tokens: &[Token],
    partners: &[usize],
    brace: usize,
) -> bool {
    let word = |i: usize| tokens[i].text(text);
    if brace < 2 || word(brace) != "{" || word(brace - 1) != ")" {
        return false;
    }
    let Some(before) = partners[brace - 1].checked_sub(1) else { return false };
    let operand_follows = |i: usize| match tokens[i].kind {
        Kind::Punct => !matches!(word(i), ")" | "]"),
        _ => matches!(word(i), "return" | "sizeof" | "case"),
    };
    if word(before) != ")" {
        return operand_follows(before);
    }
    // A cast before the literal's type; `int (*f(void))(int) {` and `int (f)(int) {` are functions.
    let open = partners[before];
    let cast = open > 0 && word(open - 1) != "*" && !matches!(word(open + 1), "*" | "(");
    cast && (operand_follows(open - 1) || matches!(word(open - 1), "if" | "while" | "for"))
}

/// A bracket in its usual spelling (C11 6.4.6 has digraphs); other tokens as they are.
fn standard(word: &str) -> &str {
    match word {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        _ => word,
    }
}

fn unclosed(text: &str, tokens: &[Token], open: usize) -> Problem {
    let bracket = tokens[open].text(text);
    Problem::new(tokens[open].start, 1, format!("this `{bracket}` is never closed"))
        .note("the text ends before it")
}

/// The closing bracket at `close` does not fit the one at `open`, if one is open.
fn wrong_bracket(text: &str, tokens: &[Token], open: Option<usize>, close: usize) -> Problem {
    let bracket = tokens[close].text(text);
    let message = match open.map(|o| tokens[o].text(text)) {
        Some(opening) => format!("`{bracket}` closes a bracket opened by `{opening}`"),
        None => format!("`{bracket}` without an opening bracket"),
    };
    Problem::new(tokens[close].start, bracket.len(), message)
}
