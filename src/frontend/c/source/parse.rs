//! The steps from a file to lang-c's tree, in order.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use super::clean::{Cleaned, Problem, clean, displayable};
use super::limits::pair_brackets;
use super::lines::{LineTable, read_for_display};
use super::options::SourceOptions;
use super::preprocess::preprocess;
use super::repair::{Repaired, repair};
use super::syntax::explain;
use super::token::{Token, tokenize};
use crate::base::{Diagnostic, SourceMap, Span, with_deep_stack};

/// A parsed source file.
#[derive(Debug)]
pub struct Parsed {
    /// The tree. `__auto_type`, `__int128_t` and `__uint128_t` may stand in it as type names that
    /// nothing declares.
    pub unit: TranslationUnit,
    /// From spans of the tree to the author's files.
    pub lines: LineTable,
    /// The text that lang-c parsed, which the tree's spans are offsets of.
    pub text: Arc<str>,
}

/// Parses a C file. One whose name ends in `.i` is taken as preprocessed, and no other program is
/// run; any other is preprocessed by the machine's C compiler.
///
/// # Errors
/// One diagnostic: the file cannot be read or preprocessed, or is not C that lang-c knows.
pub fn parse_file(
    path: &Path,
    options: &SourceOptions,
    sources: &mut SourceMap,
) -> Result<Parsed, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let own = read(path, &name).map_err(|d| vec![d])?;
    if path.extension().is_some_and(|e| e == "i") {
        return parse_bytes(&name, &own, sources);
    }
    sources.add(&name, || Some(displayable(&own)));
    if let Some(at) = own.iter().position(|b| *b == 0) {
        return Err(vec![refuse_binary(&name, &own, at, sources)]);
    }
    let raw = preprocess(path, options, sources).map_err(|d| vec![d])?;
    parse_bytes(&name, &raw, sources)
}

/// Parses preprocessed text; `name` is the file that it counts as where it has no line markers.
///
/// # Errors
/// One diagnostic: the text is not C that lang-c knows.
pub fn parse_text(
    name: &str,
    text: &str,
    sources: &mut SourceMap,
) -> Result<Parsed, Vec<Diagnostic>> {
    parse_bytes(name, text.as_bytes(), sources)
}

fn read(path: &Path, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let cannot = |why: &str| {
        Diagnostic::error_without_span(format!("cannot read `{name}`: {why}"))
            .note("give a C file (.c) or a preprocessed one (.i)")
    };
    let meta = fs::metadata(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => cannot("there is no such file"),
        _ => cannot(&e.to_string()),
    })?;
    if meta.is_dir() {
        return Err(cannot("it is a directory"));
    }
    fs::read(path).map_err(|e| cannot(&e.to_string()))
}

fn refuse_binary(name: &str, raw: &[u8], at: usize, sources: &mut SourceMap) -> Diagnostic {
    let line_start = raw[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let line = raw[..at].iter().filter(|b| **b == b'\n').count() + 1;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let file = sources.add(name, || read_for_display(Path::new(name)));
    let span = Span { file, line: number(line), col: number(at - line_start + 1), len: 1 };
    Diagnostic::error(span, "a NUL byte: this is not C text")
        .note("give a C file (.c) or a preprocessed one (.i)")
}

fn parse_bytes(name: &str, raw: &[u8], sources: &mut SourceMap) -> Result<Parsed, Vec<Diagnostic>> {
    sources.add(name, || Some(displayable(raw)));
    let cleaned = clean(name, raw);
    let tokens = tokenize(&cleaned.text);
    let mut lines = LineTable::new(&cleaned, &tokens, sources);
    if let Some(p) = &cleaned.problem {
        let span = lines.raw_span(p.at, p.len);
        return Err(vec![diagnostic(p, span)]);
    }
    match parse_clean(&cleaned, &tokens) {
        Ok((unit, Repaired { text, map, .. })) => {
            let text: Arc<str> = Arc::from(text);
            lines.set_parsed(text.clone(), map);
            Ok(Parsed { unit, lines, text })
        }
        Err(p) => Err(vec![diagnostic(&p, lines.clean_span(p.at, p.len))]),
    }
}

fn diagnostic(problem: &Problem, span: Span) -> Diagnostic {
    let d = Diagnostic::error(span, &problem.message);
    match &problem.note {
        Some(note) => d.note(note),
        None => d,
    }
}

fn parse_clean(
    cleaned: &Cleaned,
    tokens: &[Token],
) -> Result<(TranslationUnit, Repaired), Problem> {
    let partners = pair_brackets(&cleaned.text, tokens)?;
    let repaired = repair(&cleaned.text, tokens, &partners)?;
    match run_lang_c(repaired.text.clone()) {
        Ok(mut unit) => {
            // The prelude's types are placeholders: taken for real they would be ints.
            unit.0.drain(..repaired.prelude);
            Ok((unit, repaired))
        }
        Err(e) => {
            let offset = repaired.map.to_input(e.offset);
            Err(explain(&cleaned.text, tokens, &partners, offset, &e.expected))
        }
    }
}

fn run_lang_c(text: String) -> Result<TranslationUnit, SyntaxError> {
    with_deep_stack(|| {
        let config = Config { flavor: Flavor::GnuC11, ..Config::with_gcc() };
        parse_preprocessed(&config, text).map(|parse| parse.unit)
    })
}
