//! A module uses only modules of lower layers. The layers are the table of `docs/architecture.md`;
//! the uses are read from the sources by a small lexer: every path that begins with `crate`,
//! `latchwork`, `self` or `super`, in imports (groups included) and in expressions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn modules_use_lower_layers_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/architecture.md")).expect("docs/architecture.md");
    let faults = check(&root.join("src"), &Table::read(&text));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The table: module name (`a` or `a::b`) to layer and state.
struct Table(BTreeMap<String, Row>);

#[derive(Clone, Copy)]
struct Row {
    layer: u32,
    here: bool,
}

/// Where a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// Into this module of the table.
    Module(String, u32),
    /// To the common parent of modules of the table, at the highest layer of those.
    Parent(String, u32),
    /// To nothing that the table knows.
    Unknown,
}

impl Table {
    fn read(text: &str) -> Self {
        let rows = text.lines().filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
            let [layer, module, state, ..] = cells[..] else { return None };
            let layer = layer.parse().ok()?;
            let here = match state {
                "here" => true,
                "planned" => false,
                other => panic!("state `{other}` in the table of layers"),
            };
            Some((module.trim_matches('`').to_owned(), Row { layer, here }))
        });
        let table = Self(rows.collect());
        assert!(!table.0.is_empty(), "no table of layers");
        table
    }

    fn place(&self, path: &[String]) -> Place {
        for len in (1..=path.len()).rev() {
            let name = path[..len].join("::");
            if let Some(row) = self.0.get(&name) {
                return Place::Module(name, row.layer);
            }
            let children = format!("{name}::");
            let highest =
                self.0.iter().filter(|(n, _)| n.starts_with(&children)).map(|(_, r)| r.layer).max();
            match highest {
                Some(layer) if len == path.len() => return Place::Parent(name, layer),
                Some(_) => return Place::Unknown,
                None => {}
            }
        }
        Place::Unknown
    }
}

/// All faults of the sources below `src`, one line each.
fn check(src: &Path, table: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    check_rows(src, table, &mut faults);
    check_listed(src, &mut Vec::new(), table, &mut faults);

    let files: Vec<File> = sources(src).iter().map(|path| File::read(src, path)).collect();
    let macros: BTreeMap<&str, Place> =
        files.iter().flat_map(|f| f.macros().map(|name| (name, table.place(&f.module)))).collect();
    for file in &files {
        let Place::Module(owner, layer) = table.place(&file.module) else { continue };
        for (path, line) in file.uses() {
            let place = match path.first().and_then(|name| macros.get(name.as_str())) {
                Some(place) => place.clone(),
                None => table.place(&path),
            };
            let to = match place {
                Place::Module(to, to_layer) if to == owner || to_layer < layer => continue,
                Place::Module(to, to_layer) | Place::Parent(to, to_layer) => {
                    format!("`{to}` of layer {to_layer}")
                }
                Place::Unknown => format!("`{}`, which the table lacks", path.join("::")),
            };
            let file = file.name.display();
            faults.push(format!("src/{file}:{line}: `{owner}` of layer {layer} uses {to}"));
        }
    }
    faults.dedup();
    faults
}

/// Rows whose state is not true.
fn check_rows(src: &Path, table: &Table, faults: &mut Vec<String>) {
    for (name, row) in &table.0 {
        let path = src.join(name.replace("::", "/"));
        match (row.here, path.is_dir() || path.with_extension("rs").is_file()) {
            (true, false) => faults.push(format!("the table says that `{name}` is here")),
            (false, true) => faults.push(format!("`{name}` is here; the table says planned")),
            _ => {}
        }
    }
}

/// Modules that the table lacks.
fn check_listed(dir: &Path, above: &mut Vec<String>, table: &Table, faults: &mut Vec<String>) {
    for path in entries(dir) {
        let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
        let root = above.is_empty() && (name == "lib" || name == "main");
        if root || name == "mod" {
            continue;
        }
        above.push(name);
        match table.place(above) {
            Place::Module(..) => {}
            Place::Parent(..) => check_listed(&path, above, table, faults),
            Place::Unknown => {
                faults.push(format!("`{}` is not in the table of layers", above.join("::")));
            }
        }
        above.pop();
    }
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir).expect("a directory").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let (dirs, files): (Vec<_>, Vec<_>) = entries(dir).into_iter().partition(|p| p.is_dir());
    let mut all: Vec<PathBuf> =
        files.into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
    all.extend(dirs.iter().flat_map(|d| sources(d)));
    all
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    /// `::`
    Sep,
    Char(char),
}

struct File {
    /// Relative to `src`.
    name: PathBuf,
    /// Module path of the file, empty for the roots of the library and the binary.
    module: Vec<String>,
    /// Tokens and their lines, without comments and literals.
    tokens: Vec<(Token, usize)>,
}

impl File {
    fn read(src: &Path, path: &Path) -> Self {
        let name = path.strip_prefix(src).expect("below src").to_owned();
        let stem = name.with_extension("");
        let mut module: Vec<String> =
            stem.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
            module.pop();
        }
        Self { name, module, tokens: lex(&fs::read_to_string(path).expect("a source file")) }
    }

    fn word(&self, at: usize) -> Option<&str> {
        match &self.tokens.get(at)?.0 {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is(&self, at: usize, token: &Token) -> bool {
        self.tokens.get(at).is_some_and(|(t, _)| t == token)
    }

    /// Names of the macros that the file defines.
    fn macros(&self) -> impl Iterator<Item = &str> {
        (0..self.tokens.len())
            .filter(|&i| self.word(i) == Some("macro_rules"))
            .filter_map(|i| self.word(i + 2))
    }

    /// All paths into the crate, from its root, and their lines.
    fn uses(&self) -> Vec<(Vec<String>, usize)> {
        let mut found = Vec::new();
        // Module path at this place, and the depth of braces at which each inline module ends.
        let mut module = self.module.clone();
        let mut ends = Vec::new();
        let (mut depth, mut i) = (0usize, 0);
        while i < self.tokens.len() {
            let line = self.tokens[i].1;
            match &self.tokens[i].0 {
                Token::Char('{') => {
                    if i >= 2 && self.word(i - 2) == Some("mod") {
                        module.push(self.word(i - 1).expect("a module's name").to_owned());
                        ends.push(depth);
                    }
                    depth += 1;
                }
                Token::Char('}') => {
                    depth = depth.saturating_sub(1);
                    if ends.last() == Some(&depth) {
                        ends.pop();
                        module.pop();
                    }
                }
                Token::Word(word) if self.begins_path(i) => {
                    let mut base = match word.as_str() {
                        "crate" | "latchwork" => Vec::new(),
                        _ => module.clone(),
                    };
                    if word == "super" {
                        base.pop();
                    }
                    i += 2;
                    let mut paths = Vec::new();
                    self.tree(&mut i, base, &mut paths);
                    found.extend(paths.into_iter().map(|path| (path, line)));
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        found
    }

    fn begins_path(&self, at: usize) -> bool {
        matches!(self.word(at), Some("crate" | "latchwork" | "self" | "super"))
            && self.is(at + 1, &Token::Sep)
            && (at == 0 || !self.is(at - 1, &Token::Sep))
    }

    /// Reads what follows `prefix::`: names, a group, or `*`; leaves `at` behind it.
    fn tree(&self, at: &mut usize, mut prefix: Vec<String>, found: &mut Vec<Vec<String>>) {
        loop {
            if self.is(*at, &Token::Char('{')) {
                *at += 1;
                while !self.is(*at, &Token::Char('}')) && *at < self.tokens.len() {
                    self.tree(at, prefix.clone(), found);
                    // `as name`, and the comma.
                    while self.word(*at).is_some() || self.is(*at, &Token::Char(',')) {
                        let comma = self.is(*at, &Token::Char(','));
                        *at += 1;
                        if comma {
                            break;
                        }
                    }
                }
                *at += 1;
                return;
            }
            match self.word(*at) {
                Some("self") => {}
                Some("super") => {
                    prefix.pop();
                }
                Some(word) => prefix.push(word.to_owned()),
                None => {
                    // `*`, or the `<` of `::<`; a glob of the crate's root uses everything.
                    if self.is(*at, &Token::Char('*')) {
                        *at += 1;
                    }
                    if prefix.is_empty() {
                        prefix.push("*".to_owned());
                    }
                    found.push(prefix);
                    return;
                }
            }
            *at += 1;
            if !self.is(*at, &Token::Sep) {
                found.push(prefix);
                return;
            }
            *at += 1;
        }
    }
}

/// Tokens with their lines; comments, literals and lifetimes are left out.
fn lex(text: &str) -> Vec<(Token, usize)> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut i, mut line) = (0, 1);
    while i < chars.len() {
        let start = i;
        let rest = &chars[i..];
        match rest {
            ['/', '/', ..] => i += rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => i += block_comment(rest),
            ['"', ..] => i += string(rest),
            ['r' | 'b', ..] if raw_string(rest).is_some() => {
                i += raw_string(rest).expect("just seen");
            }
            ['\'', '\\', _, ..] => {
                i += 3 + rest[3..].iter().position(|&c| c == '\'').unwrap_or(0) + 1;
            }
            ['\'', _, '\'', ..] => i += 3,
            ['\'', ..] => i += 1 + word_len(&rest[1..]),
            [':', ':', ..] => {
                tokens.push((Token::Sep, line));
                i += 2;
            }
            [c, ..] if word_len(rest) > 0 => {
                i += word_len(rest);
                let word: String = chars[start..i].iter().collect();
                if !c.is_ascii_digit() {
                    tokens.push((Token::Word(word), line));
                }
            }
            [c, ..] => {
                if !c.is_whitespace() {
                    tokens.push((Token::Char(*c), line));
                }
                i += 1;
            }
            [] => unreachable!("the loop ends here"),
        }
        i = i.min(chars.len());
        line += chars[start..i].iter().filter(|&&c| c == '\n').count();
    }
    tokens
}

fn word_len(rest: &[char]) -> usize {
    rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count()
}

fn block_comment(rest: &[char]) -> usize {
    let (mut i, mut depth) = (2, 1);
    while i < rest.len() && depth > 0 {
        match rest[i..] {
            ['/', '*', ..] => (i, depth) = (i + 2, depth + 1),
            ['*', '/', ..] => (i, depth) = (i + 2, depth - 1),
            _ => i += 1,
        }
    }
    i
}

fn string(rest: &[char]) -> usize {
    let mut i = 1;
    while i < rest.len() && rest[i] != '"' {
        i += if rest[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Length of a raw string with its prefix, if `rest` begins with one.
fn raw_string(rest: &[char]) -> Option<usize> {
    let r = rest.iter().take(2).position(|&c| c == 'r')?;
    if rest[..r].iter().any(|&c| c != 'b') {
        return None;
    }
    let hashes = rest[r + 1..].iter().take_while(|&&c| c == '#').count();
    let open = r + 1 + hashes;
    if rest.get(open) != Some(&'"') {
        return None;
    }
    let close = (open + 1..rest.len()).find(|&i| {
        rest[i] == '"' && rest[i + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    });
    Some(close.map_or(rest.len(), |i| i + 1 + hashes))
}

/// The faults of a source tree made of `files`, against a table of four modules.
fn faults_of(files: &[(&str, &str)]) -> Vec<String> {
    let table = Table::read(
        "| layer | module | state | holds |\n|---|---|---|---|\n| 0 | `low` | here | |\n\
         | 1 | `left` | here | |\n| 1 | `right` | here | |\n| 2 | `up::one` | here | |\n\
         | 2 | `up::two` | planned | |\n",
    );
    let src = tempfile::tempdir().expect("a temporary directory");
    let always = ["low/mod.rs", "left/mod.rs", "right.rs", "up/mod.rs", "up/one.rs"];
    for (name, text) in always.iter().map(|name| (*name, "")).chain(files.iter().copied()) {
        let path = src.path().join(name);
        fs::create_dir_all(path.parent().expect("below src")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    check(src.path(), &table)
}

#[test]
fn allowed_uses_pass() {
    let faults = faults_of(&[
        ("lib.rs", "pub mod low; pub use up::one::X; use crate::left::Y;"),
        ("low/mod.rs", "#[macro_export] macro_rules! make { () => { $crate::low::A } }"),
        ("low/deep.rs", "use super::A; use crate::low::{B, deeper::{C as D, *}}; // crate::left"),
        ("left/mod.rs", "use crate::{low::{self, A}}; crate::make! { } /* /* */ crate::right */"),
        ("left/x.rs", "mod tests { use super::super::y; use super::*; } use super::super::low;"),
        (
            "up/one.rs",
            "fn f() { crate::left::g(\"crate::up::two\", r#\"\" crate::up\"#, 'x', '\\''); }",
        ),
    ]);
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn forbidden_uses_are_found() {
    for (file, text) in [
        ("low/mod.rs", "use crate::left::X;"),
        ("low/mod.rs", "use crate::{low::A, left::{B, C}};"),
        ("low/deep.rs", "\n'a: loop { let c = '\"'; crate::left::f(); } // \""),
        ("low/deep.rs", "use super::super::left;"),
        ("low/deep.rs", "mod tests { fn f() {} use super::super::super::left::X; }"),
        ("low/deep.rs", "mod tests { mod inner {} } use super::super::left::X;"),
        ("low/deep.rs", "use self::super::super::left::X;"),
        ("low/mod.rs", "use crate::*;"),
        ("low/mod.rs", "use latchwork::left::X;"),
        ("left/mod.rs", "use crate::right::X;"),
        ("left/mod.rs", "use crate::up;"),
        ("left/mod.rs", "use crate::{low as l, right as r};"),
        ("left/mod.rs", "use crate::nowhere::X;"),
        ("up/one.rs", "use super::two::X;"),
        ("up/one.rs", "use super::helper::X;"),
    ] {
        let faults = faults_of(&[(file, text)]);
        assert_eq!(faults.len(), 1, "{file}: {text}: {faults:?}");
        assert!(faults[0].starts_with(&format!("src/{file}:")), "{faults:?}");
    }
    let macros = faults_of(&[
        ("right.rs", "macro_rules! make { () => {} }"),
        ("left/mod.rs", "use crate::make;"),
    ]);
    assert_eq!(macros, ["src/left/mod.rs:1: `left` of layer 1 uses `right` of layer 1"]);
}

#[test]
fn wrong_tables_are_found() {
    assert_eq!(faults_of(&[("extra/mod.rs", "")]), ["`extra` is not in the table of layers"]);
    assert_eq!(faults_of(&[("up/three.rs", "")]), ["`up::three` is not in the table of layers"]);
    assert_eq!(faults_of(&[("up/two.rs", "")]), ["`up::two` is here; the table says planned"]);
}
