//! Every change made to clean text because lang-c 0.15.1 cannot parse the original.
//!
//! | construct | becomes | why this is the same program |
//! |---|---|---|
//! | (start of text) | [`PRELUDE`] | makes type names of words that only gcc knows; its declarations leave the tree again, so whoever meets one of these names must know it |
//! | (start of text, behind <stdatomic.h>) | the names of <stdint.h> that nothing declares | clang's <stdatomic.h> includes that header, gcc's does not |
//! | `__int128`, `unsigned __int128` | `__int128_t`, `__uint128_t` | gcc's own names for these types |
//! | `__float128`, `__thread` | `_Float128`, `_Thread_local` | other spellings of one keyword |
//! | `a$b`, `__CPROVER_thread_local` | `a__lw_dollar_b`, `_Thread_local` | gcc allows `$` in identifiers; CBMC's spelling of a keyword |
//! | `__CPROVER_bool` | `_Bool` | CBMC's name for a truth value |
//! | `goto *p;`, `&&l` | `__lw_goto(p);`, `__lw_label_l` | gcc's computed goto; the analysis knows these names |
//! | `__label__ l;` | dropped, and `l` renamed in its block | a label of the block alone |
//! | digraphs `<:` `:>` `<%` `%>` | `[` `]` `{` `}` | C11 6.4.6 |
//! | `l: }`, `l: int x;`, `case 1: int y;` | `;` behind the colon | the label labels the empty statement before it |
//! | `__attribute__((…))` at the start of a statement or behind a label | dropped | such attributes (fallthrough, unused, hot, cold) only steer warnings and layout of code |
//! | `[[…]]` | dropped | C23 6.7.13: a program without its standard attributes means the same |
//! | `_Pragma("…")` | dropped | as `#pragma`; packing is refused |
//! | `__builtin_types_compatible_p(T, U)` | `__builtin_types_compatible_p(sizeof(T), sizeof(U))` | the analysis looks at the types alone |
//! | `_Static_assert(e)` | `_Static_assert(e, "")` | the message may be left out in C23 |
//! | `main() {}`, `static x;` | `int main() {}`, `static int x;` | C89 6.5.2: no type specifier means int |
//! | `(T){}` | `(T){0}` | an empty list initialises to zero (C23 6.7.11) |
//! | `a ?: b` | `a ? __lw_condition : b` | the analysis knows this name: `a` is evaluated once |
//! | `struct __attribute__((…)) s {…}` | `struct s {…} __attribute__((…))` | gcc takes attributes at both places |
//! | `struct { _Alignas(n) int m; }` | `struct { __attribute__((aligned(n))) int m; }`, of a type's `_Alignof` for a type | gcc's other spelling |
//! | `struct {…} ;;` | one `;` | an empty member declaration |
//! | `\e`, `\u00e9`, `\%` in literals | `\033`, the character in UTF-8, `%` | gcc's values of these escapes |
//!
//! The pass works on tokens only. What it does not recognise stays, and lang-c then reports it.

use std::collections::{HashMap, HashSet};

use super::clean::{Problem, refused_pragma};
use super::limits::{Partners, opens_compound_literal};
use super::rewrite::{Edit, OffsetMap, apply};
use super::token::{Kind, Token};

/// Declarations put before the text, one of a type name each.
pub const PRELUDE: &str =
    "typedef int __auto_type; typedef int __int128_t; typedef int __uint128_t; ";
/// Number of declarations in [`PRELUDE`].
const PRELUDE_DECLARATIONS: usize = 3;

/// The types of <stdint.h> and <stddef.h> that clang's <stdatomic.h> declares.
const EXACT_TYPES: &[&str] = &[
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "intmax_t",
    "uintmax_t",
    "size_t",
    "ptrdiff_t",
];

/// gcc's function of two types.
pub const TYPES_COMPATIBLE: &str = "__builtin_types_compatible_p";

/// What a computed goto becomes: a call of this function.
pub const COMPUTED_GOTO: &str = "__lw_goto";
/// What the name of a label whose address is taken gets in front.
pub const LABEL_ADDRESS: &str = "__lw_label_";
/// What stands between the name of a block's own label and a number.
const BLOCK_LABEL: &str = "__lw_block_";

/// The middle operand of `a ?: b`, which stands for the value of `a`.
pub const SAME_AS_CONDITION: &str = " __lw_condition ";

/// What `$` is in a repaired identifier.
const DOLLAR: &str = "__lw_dollar_";

/// An identifier of the repaired text as its author wrote it.
pub fn authored_name(name: &str) -> String {
    let name = name.split(BLOCK_LABEL).next().unwrap_or(name);
    name.replace(DOLLAR, "$")
}

/// Words that begin a declaration.
const DECLARATION_WORDS: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "_Complex",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "restrict",
    "_Atomic",
    "static",
    "extern",
    "register",
    "auto",
    "typedef",
    "inline",
    "_Noreturn",
    "_Thread_local",
    "_Alignas",
    "__thread",
    "__auto_type",
    "__int128",
    "__int128_t",
    "__uint128_t",
    "__extension__",
    "typeof",
    "__typeof__",
    "__typeof",
    "__const",
    "__volatile__",
    "__inline",
    "__inline__",
    "__signed__",
    "_Static_assert",
    "__float128",
    "_Float128",
    "_Float64",
    "_Float32",
];

/// Words that are not identifiers and do not begin a declaration.
const OTHER_KEYWORDS: &[&str] = &[
    "break",
    "case",
    "continue",
    "default",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "return",
    "sizeof",
    "switch",
    "while",
    "_Alignof",
    "_Generic",
    "__attribute__",
    "__attribute",
    "asm",
    "__asm__",
    "__asm",
    "__alignof__",
    "__builtin_va_arg",
    "__builtin_offsetof",
    "__label__",
];

/// Words that may begin a declaration without type specifier (implicit int).
const IMPLICIT_INT_WORDS: &[&str] = &["static", "const", "register", "auto", "extern", "volatile"];

/// Whether a word is an identifier rather than a keyword.
pub fn is_identifier(token: &Token, text: &str) -> bool {
    let word = token.text(text);
    token.kind == Kind::Word && !begins_declaration(word) && !OTHER_KEYWORDS.contains(&word)
}

/// Whether a word is a keyword that begins a declaration.
pub fn begins_declaration(word: &str) -> bool {
    DECLARATION_WORDS.contains(&word)
}

/// A text that lang-c can parse if the original was C.
pub struct Repaired {
    /// [`PRELUDE`], perhaps more declarations, and the repaired text.
    pub text: String,
    /// Number of declarations before the text.
    pub prelude: usize,
    /// Offsets of `text` to offsets of the clean text.
    pub map: OffsetMap,
}

/// Repairs clean `text`, whose tokens and bracket partners are given.
///
/// # Errors
/// A construct that would have to be dropped though it has a meaning.
pub fn repair(text: &str, tokens: &[Token], partners: &Partners) -> Result<Repaired, Problem> {
    let mut r = Repairs {
        text,
        tokens,
        partners,
        edits: vec![],
        typedefs: HashSet::new(),
        label_colons: HashSet::new(),
        block_labels: HashMap::new(),
    };
    r.insert(0, PRELUDE);
    r.typedefs = typedef_names(text, tokens, partners);
    let prelude = PRELUDE_DECLARATIONS + r.exact_types();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::String | Kind::Char => r.escapes(i),
            Kind::Word => r.word(i)?,
            Kind::Punct => r.punctuator(i),
            Kind::Number => {}
        }
    }
    r.rename_labels();
    let (text, map) = apply(text, r.edits);
    Ok(Repaired { text, prelude, map })
}

/// Names that some `typedef` of the text declares, whatever its scope.
pub fn typedef_names<'a>(text: &'a str, tokens: &[Token], partners: &[usize]) -> HashSet<&'a str> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.text(text));
    let mut names = HashSet::from(["__builtin_va_list"]);
    for start in (0..tokens.len()).filter(|&i| word(i) == "typedef") {
        let mut i = start + 1;
        while i < tokens.len() && word(i) != ";" {
            let named = is_identifier(&tokens[i], text)
                && matches!(word(i + 1), ";" | "," | "[" | "(" | ")" | "__attribute__");
            if named {
                names.insert(word(i));
            }
            // Parameters and members are not declared by the typedef, but `(*name)` is.
            let declarator = word(i) == "(" && matches!(word(i + 1), "*" | "(");
            i = if declarator { i + 1 } else { partners[i].max(i) + 1 };
        }
    }
    names
}

struct Repairs<'a> {
    text: &'a str,
    tokens: &'a [Token],
    partners: &'a [usize],
    edits: Vec<Edit>,
    typedefs: HashSet<&'a str>,
    /// Positions of the colons of labels met so far.
    label_colons: HashSet<usize>,
    /// What names of labels become, by position.
    block_labels: HashMap<usize, String>,
}

impl<'a> Repairs<'a> {
    /// The text of the token at `i`, empty beyond the ends.
    fn at(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |t| t.text(self.text))
    }

    /// The text of the token `back` before `i`, empty beyond the start.
    fn before(&self, i: usize, back: usize) -> &'a str {
        i.checked_sub(back).map_or("", |j| self.at(j))
    }

    fn is_identifier(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| is_identifier(t, self.text))
    }

    fn insert(&mut self, offset: usize, text: &str) {
        self.edits.push(Edit { start: offset, end: offset, text: text.to_string() });
    }

    /// Replaces the tokens `first..=last`.
    fn replace(&mut self, first: usize, last: usize, text: &str) {
        let (start, end) = (self.tokens[first].start, self.tokens[last].end);
        self.edits.push(Edit { start, end, text: text.to_string() });
    }

    fn word(&mut self, i: usize) -> Result<(), Problem> {
        if self.at(i).contains('$') {
            let name = self.at(i).replace('$', DOLLAR);
            self.replace(i, i, &name);
        }
        match self.at(i) {
            "__thread" => self.replace(i, i, "_Thread_local"),
            "__float128" => self.replace(i, i, "_Float128"),
            "__CPROVER_bool" => self.replace(i, i, "_Bool"),
            "__label__" => self.block_label(i),
            "goto" if self.at(i + 1) == "*" => self.computed_goto(i),
            "__CPROVER_thread_local" => self.replace(i, i, "_Thread_local"),
            "__int128" => self.int128(i),
            "__attribute__" | "__attribute" if matches!(self.before(i, 1), "struct" | "union") => {
                self.record_attribute(i);
            }
            "__attribute__" | "__attribute" => self.statement_attribute(i),
            "_Static_assert" => self.static_assert(i),
            TYPES_COMPATIBLE if self.at(i + 1) == "(" => self.types_compatible(i),
            "_Alignas" if self.at(i + 1) == "(" && self.in_members(i) => self.alignment(i),
            "_Pragma" => self.pragma(i)?,
            "case" | "default" => self.case_label(i),
            w if IMPLICIT_INT_WORDS.contains(&w) => self.implicit_int(i),
            _ if self.is_identifier(i) => {
                self.implicit_int_function(i);
                if self.at(i + 1) == ":" {
                    self.behind_label(i, i + 1);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn punctuator(&mut self, i: usize) {
        match self.at(i) {
            "<:" => self.replace(i, i, "["),
            ":>" => self.replace(i, i, "]"),
            "<%" => self.replace(i, i, "{"),
            "%>" => self.replace(i, i, "}"),
            "&&" if self.is_identifier(i + 1) && !self.ends_operand(i) => self.label_address(i),
            "?" if self.at(i + 1) == ":" => self.insert(self.tokens[i].end, SAME_AS_CONDITION),
            "[" if self.at(i + 1) == "[" && self.partners[i] == self.partners[i + 1] + 1 => {
                self.replace(i, self.partners[i], "");
            }
            "{" if self.partners[i] == i + 1
                && opens_compound_literal(self.text, self.tokens, self.partners, i) =>
            {
                self.insert(self.tokens[i].end, "0");
            }
            ";" if self.before(i, 1) == ";" && self.in_members(i) => self.replace(i, i, ""),
            _ => {}
        }
    }

    /// Declares the types of <stdint.h> that the text names behind clang's <stdatomic.h>; gives
    /// how many.
    fn exact_types(&mut self) -> usize {
        if !self.typedefs.contains("atomic_int") {
            return 0;
        }
        let words: HashSet<&str> = self.tokens.iter().map(|t| t.text(self.text)).collect();
        let missing: Vec<&&str> = EXACT_TYPES
            .iter()
            .filter(|t| words.contains(**t) && !self.typedefs.contains(**t))
            .collect();
        for name in &missing {
            self.insert(0, &format!("typedef int {name}; "));
        }
        missing.len()
    }

    /// `goto *p;`
    fn computed_goto(&mut self, i: usize) {
        let mut end = i + 2;
        while end < self.tokens.len() && self.at(end) != ";" {
            end = self.partners[end].max(end) + 1;
        }
        if end < self.tokens.len() {
            self.replace(i, i + 1, &format!("{COMPUTED_GOTO}("));
            self.insert(self.tokens[end].start, ")");
        }
    }

    /// Whether the token before `i` ends an operand, so that one at `i` is binary. A type between
    /// brackets does not.
    fn ends_operand(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else { return false };
        match self.at(before) {
            "]" | "}" | "++" | "--" => true,
            ")" => {
                let open = self.partners[before];
                let word = self.at(open + 1);
                let ty = begins_declaration(word) || self.typedefs.contains(word);
                let operator = open.checked_sub(1).is_some_and(|j| {
                    let word = self.tokens[j].kind == Kind::Word;
                    word && !matches!(self.at(j), "return" | "case" | "else" | "do")
                        || matches!(self.at(j), ")" | "]")
                });
                !ty || operator
            }
            _ => {
                self.is_identifier(before)
                    || matches!(self.tokens[before].kind, Kind::Number | Kind::Char | Kind::String)
            }
        }
    }

    /// `&&l`
    fn label_address(&mut self, i: usize) {
        let name = self.block_labels.remove(&(i + 1));
        let name = format!("{LABEL_ADDRESS}{}", name.as_deref().unwrap_or(self.at(i + 1)));
        self.replace(i, i + 1, &name);
    }

    /// `__label__ a, b;`: the labels get other names in this block; an inner block may have its
    /// own again.
    fn block_label(&mut self, i: usize) {
        let mut at = i;
        while let Some(previous) = at.checked_sub(1) {
            at = self.partners[previous].min(previous);
            if self.at(previous) == "{" {
                break;
            }
        }
        let close = self.partners[at];
        let end = (i..close).find(|&j| self.at(j) == ";").unwrap_or(i);
        let names: HashSet<&str> = (i + 1..end).map(|j| self.at(j)).collect();
        for j in end + 1..close {
            let before = self.at(j - 1);
            let label = matches!(before, "goto" | "&&") || self.at(j + 1) == ":" && before != "?";
            if label && self.is_identifier(j) && names.contains(self.at(j)) {
                self.block_labels.insert(j, format!("{}{BLOCK_LABEL}{i}", self.at(j)));
            }
        }
        self.replace(i, end, "");
    }

    fn rename_labels(&mut self) {
        for (i, name) in std::mem::take(&mut self.block_labels) {
            self.replace(i, i, &name);
        }
    }

    /// `__int128` with a `signed` or `unsigned` beside it.
    fn int128(&mut self, i: usize) {
        let sign = |w: &str| match w {
            "unsigned" => Some("__uint128_t"),
            "signed" | "__signed__" => Some("__int128_t"),
            _ => None,
        };
        if let Some(name) = sign(self.before(i, 1)) {
            self.replace(i - 1, i, name);
        } else if let Some(name) = sign(self.at(i + 1)) {
            self.replace(i, i + 1, name);
        } else {
            self.replace(i, i, "__int128_t");
        }
    }

    /// Whether the token at `i` begins a statement or declaration within a block.
    fn begins_block_item(&self, i: usize) -> bool {
        matches!(self.before(i, 1), "{" | "}" | ";")
    }

    fn statement_attribute(&mut self, i: usize) {
        let close = self.partners[(i + 1).min(self.tokens.len() - 1)];
        let alone =
            self.begins_block_item(i) && !self.behind_members(i) && self.at(close + 1) == ";";
        let behind_label = i > 0 && self.label_colons.contains(&(i - 1));
        if self.at(i + 1) == "(" && (alone || behind_label) {
            self.replace(i, close, "");
        }
    }

    /// Attributes between `struct` and what it names, which move behind the members.
    fn record_attribute(&mut self, i: usize) {
        if self.at(i + 1) != "(" {
            return;
        }
        let mut close = self.partners[i + 1];
        let mut open = close + 1;
        while matches!(self.at(open), "__attribute__" | "__attribute") && self.at(open + 1) == "(" {
            close = self.partners[open + 1];
            open = close + 1;
        }
        if self.is_identifier(open) {
            open += 1;
        }
        if self.at(open) == "{" {
            let text = &self.text[self.tokens[i].start..self.tokens[close].end];
            self.insert(self.tokens[self.partners[open]].end, &format!(" {text}"));
        }
        self.replace(i, close, "");
    }

    fn case_label(&mut self, i: usize) {
        if matches!(self.before(i, 1), "," | "(") {
            return; // `default` of `_Generic`
        }
        let mut questions = 0;
        let mut at = i + 1;
        while at < self.tokens.len() {
            match self.at(at) {
                ":" if questions == 0 => return self.behind_label(i, at),
                ":" => questions -= 1,
                "?" => questions += 1,
                ";" | "{" | "}" => return,
                _ => {}
            }
            at = self.partners[at].max(at) + 1;
        }
    }

    /// Puts `;` behind the colon of a label that begins at `first`, if what follows is no
    /// statement.
    fn behind_label(&mut self, first: usize, colon: usize) {
        let in_chain = first > 0 && self.label_colons.contains(&(first - 1));
        let alone = matches!(self.before(first, 1), ")" | "else" | "do");
        if !self.begins_block_item(first) && !in_chain && !alone {
            return; // the colon of `?` or of a bit-field
        }
        self.label_colons.insert(colon);
        if alone {
            return; // no declaration may stand there
        }
        let mut next = colon + 1;
        if matches!(self.at(next), "__attribute__" | "__attribute") && self.at(next + 1) == "(" {
            next = self.partners[next + 1] + 1;
        }
        let pointer = || {
            let stars = (next + 1..).take_while(|&j| self.at(j) == "*").count();
            let name = next + 1 + stars;
            self.typedefs.contains(self.at(next)) && stars > 0 && self.is_identifier(name)
        };
        let declares = begins_declaration(self.at(next)) && self.at(next) != "__extension__"
            || self.is_identifier(next) && self.is_identifier(next + 1)
            || self.is_identifier(next) && pointer();
        if self.at(next) == "}" || declares {
            self.insert(self.tokens[colon].end, ";");
        }
    }

    fn static_assert(&mut self, i: usize) {
        if self.at(i + 1) != "(" {
            return;
        }
        let close = self.partners[i + 1];
        let mut at = i + 2;
        while at < close {
            if self.at(at) == "," {
                return;
            }
            at = self.partners[at].max(at) + 1;
        }
        self.insert(self.tokens[close].start, ", \"\"");
    }

    /// `__builtin_types_compatible_p(T, U)`
    fn types_compatible(&mut self, i: usize) {
        let close = self.partners[i + 1];
        let mut at = i + 2;
        while at < close && self.at(at) != "," {
            at = self.partners[at].max(at) + 1;
        }
        if at < close {
            self.insert(self.tokens[i + 1].end, "sizeof(");
            self.insert(self.tokens[at].start, ")");
            self.insert(self.tokens[at].end, " sizeof(");
            self.insert(self.tokens[close].start, ")");
        }
    }

    /// `_Alignas(n)` among members.
    fn alignment(&mut self, i: usize) {
        let first = self.at(i + 2);
        let ty = begins_declaration(first) || self.typedefs.contains(first);
        let (open, close) = match ty {
            true => ("__attribute__((aligned(_Alignof(", "))))"),
            false => ("__attribute__((aligned(", ")))"),
        };
        let end = self.partners[i + 1];
        self.replace(i, i + 1, open);
        self.replace(end, end, close);
    }

    fn pragma(&mut self, i: usize) -> Result<(), Problem> {
        let whole = self.at(i + 1) == "(" && self.partners[i + 1] == i + 3;
        if whole {
            let token = self.tokens[i];
            if let Some(message) = refused_pragma(self.at(i + 2).trim_matches('"')) {
                return Err(Problem::new(token.start, token.end - token.start, message));
            }
            self.replace(i, i + 3, "");
        }
        Ok(())
    }

    /// Whether the token at `i` begins an external declaration: it is at the start, behind a `;`
    /// or behind the body of a function.
    fn begins_external_declaration(&self, i: usize) -> bool {
        match self.before(i, 1) {
            "" => true,
            ";" => true,
            "}" => matches!(self.before(self.partners[i - 1], 1), ")" | ";"),
            _ => false,
        }
    }

    /// `main() {`: a function definition without type specifier.
    fn implicit_int_function(&mut self, i: usize) {
        let parameters = self.at(i + 1) == "(";
        if !parameters || !self.begins_external_declaration(i) {
            return;
        }
        let behind = self.partners[i + 1] + 1;
        // A call begins a statement in the same way, but no body follows it. Old-style
        // parameter declarations may stand before the body.
        let body = self.at(behind) == "{" || begins_declaration(self.at(behind));
        if body && !self.typedefs.contains(self.at(i)) {
            self.insert(self.tokens[i].start, "int ");
        }
    }

    /// `static x = 3;`: a declaration without type specifier.
    fn implicit_int(&mut self, i: usize) {
        let declared = self.is_identifier(i + 1) && !self.typedefs.contains(self.at(i + 1));
        let start = matches!(self.before(i, 1), "" | "{" | "}" | ";");
        if start && declared && matches!(self.at(i + 2), "=" | ";" | "," | "[" | "(") {
            self.insert(self.tokens[i + 1].start, "int ");
        }
    }

    /// Whether the token at `i` stands right behind the members of a struct or union.
    fn behind_members(&self, i: usize) -> bool {
        if self.before(i, 1) != "}" {
            return false;
        }
        self.opens_members(self.partners[i - 1])
    }

    /// Whether the `{` at `open` opens the members of a struct or union.
    fn opens_members(&self, open: usize) -> bool {
        let mut at = open;
        if at > 0 && self.is_identifier(at - 1) {
            at -= 1;
        }
        while self.before(at, 1) == ")" {
            let list = self.partners[at - 1];
            if !matches!(self.before(list, 1), "__attribute__" | "__attribute") {
                return false;
            }
            at = list - 1;
        }
        matches!(self.before(at, 1), "struct" | "union")
    }

    /// Whether the token at `i` stands among the members of a struct or union.
    fn in_members(&self, i: usize) -> bool {
        let mut at = i;
        while let Some(previous) = at.checked_sub(1) {
            at = self.partners[previous].min(previous);
            if self.at(previous) == "{" {
                return self.opens_members(previous);
            }
        }
        false
    }

    /// Rewrites escapes that lang-c does not know within a literal.
    fn escapes(&mut self, i: usize) {
        let token = self.tokens[i];
        let literal = token.text(self.text);
        let mut at = 0;
        while let Some(offset) = literal[at..].find('\\') {
            at += offset;
            let Some(escaped) = literal[at + 1..].chars().next() else { return };
            let (len, text) = match escaped {
                'e' | 'E' => (2, Some("\\033".to_string())),
                'u' => universal(literal, at, 4),
                'U' => universal(literal, at, 8),
                '\'' | '"' | '?' | '\\' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' => {
                    (2, None)
                }
                '0'..='7' => (2, None),
                c => (1 + c.len_utf8(), Some(c.to_string())),
            };
            if let Some(text) = text {
                let start = token.start + at;
                self.edits.push(Edit { start, end: start + len, text });
            }
            at += len;
        }
    }
}

/// The universal character name of `digits` digits at `at`: its length and the character.
fn universal(literal: &str, at: usize, digits: usize) -> (usize, Option<String>) {
    let code = literal.get(at + 2..at + 2 + digits).and_then(|h| u32::from_str_radix(h, 16).ok());
    match code.and_then(char::from_u32) {
        Some(c) => (2 + digits, Some(c.to_string())),
        None => (2, None),
    }
}
