//! Tests of the source side as a whole.

use lang_c::ast::{ExternalDeclaration, Statement};
use lang_c::visit::Visit;
use std::fs;
use std::path::Path;

use super::*;
use crate::base::{Rng, SourceMap};

/// `line:col len text` of every statement of `parsed`, blocks left out.
fn statements(parsed: &Parsed) -> Vec<String> {
    struct Collect<'a>(&'a LineTable, Vec<String>);
    impl<'a> Visit<'a> for Collect<'_> {
        fn visit_statement(&mut self, s: &'a Statement, span: &'a lang_c::span::Span) {
            if !matches!(s, Statement::Compound(_)) {
                let place = self.0.span(*span);
                let text = self.0.text(*span);
                self.1.push(format!("{}:{} {} {text}", place.line, place.col, place.len));
            }
            lang_c::visit::visit_statement(self, s, span);
        }
        fn visit_expression(&mut self, _: &'a lang_c::ast::Expression, _: &'a lang_c::span::Span) {}
    }
    let mut collect = Collect(&parsed.lines, vec![]);
    for d in &parsed.unit.0 {
        if let ExternalDeclaration::FunctionDefinition(f) = &d.node {
            collect.visit_function_definition(&f.node, &f.span);
        }
    }
    collect.1
}

fn parse(text: &str) -> Result<Parsed, String> {
    let mut sources = SourceMap::new();
    parse_text("t.i", text, &mut sources).map_err(|ds| {
        assert_eq!(ds.len(), 1, "one clear message");
        let d = &ds[0];
        d.span.map_or(d.message.clone(), |s| format!("{}: {}", sources.show(s), d.message))
    })
}

/// Parses `text` as the file `name` in a fresh directory.
fn parse_as(name: &str, text: &[u8], options: &SourceOptions) -> Result<Parsed, String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join(name);
    fs::write(&path, text).expect("it is writable");
    parse_path(&path, options)
}

fn parse_path(path: &Path, options: &SourceOptions) -> Result<Parsed, String> {
    let mut sources = SourceMap::new();
    parse_file(path, options, &mut sources).map_err(|ds| {
        assert_eq!(ds.len(), 1, "one clear message");
        ds[0].render(&sources)
    })
}

#[test]
fn spans_and_text_are_the_authors() {
    let source = "#define TWICE(x) ((x) + (x))\n#define SET(v) do { v = 1; } while (0)\n\
                  #define EVER ;;\n#include <assert.h>\nint  x , y;\nint main(void)\n{\n\
                  \tx  =  3 ;  /* note */ y = x;\n\
                  x = TWICE(y) + TWICE(2); y = 0;\n  assert(x ==\n   6); y = 5;\n  SET(y);\n\
                  for(EVER) x++;\n  assert(x); assert(y < TWICE(x)); x--;\n}\n";
    let parsed = parse_as("a.c", source.as_bytes(), &SourceOptions::default()).unwrap();
    let found = statements(&parsed);
    let expected = [
        "8:2 9 x = 3 ;",
        "8:24 6 y = x;",
        "9:1 24 x = TWICE(y) + TWICE(2);",
        "9:26 6 y = 0;",
        "11:8 6 y = 5;",
        "13:1 14 for(EVER) x++;",
        "13:11 4 x++;",
        "14:3 10 assert(x);",
        "14:14 21 assert(y < TWICE(x));",
        "14:36 4 x--;",
    ];
    for line in expected {
        assert!(found.iter().any(|f| f == line), "no `{line}` in {found:#?}");
    }
    let asserted = found.iter().find(|s| s.starts_with("10:3 ")).expect("the assert");
    assert!(asserted.ends_with(" assert(x == 6);"), "{asserted}");
    let set = found.iter().find(|s| s.starts_with("12:3 7 ")).expect("the macro");
    assert!(set.ends_with(" SET(y);"), "{set}");
}

#[test]
fn line_markers_and_line_directives_name_the_author() {
    let text = "# 1 \"gone \\\"q\\\".c\"\n# 1 \"<built-in>\"\n# 7 \"gone \\\"q\\\".c\" 2\n\
                void f(void) {\n  g(1);\n#line 40\n  h(2);\n}\n";
    let mut sources = SourceMap::new();
    let parsed = parse_text("t.i", text, &mut sources).unwrap();
    assert_eq!(statements(&parsed), ["8:3 5 g(1);", "40:3 5 h(2);"]);
    let span = parsed.lines.span(parsed.unit.0[0].span);
    assert_eq!(sources.show(span), "gone \"q\".c:7:1");
    // The file is gone, but its lines can be shown.
    assert_eq!(sources.line(span.file, 8), Some("  g(1);"));
}

#[test]
fn repairs_make_it_parse() {
    let bodies = [
        "l: }",
        "l: int x; }",
        "switch (1) { case 1: int y; default: } }",
        "typedef int T; switch (1) { case 1 ? 2 : 3: case 4: T y; break; case 5: T *p; } }",
        "switch (1) { case 1: __attribute__((fallthrough)); case 2: ; } }",
        "__attribute__((unused)); l: __attribute__((unused)); goto l; }",
        "if (1) l: goto l; else m: goto m; }",
        "int x = 1 ? 2 : 3; int c = '\\e'; char *s = \"\\e\\u00e9\\%\\\\e\"; }",
        "static x = 3; const y = 4; register z; }",
        "_Static_assert(1); _Static_assert(1, \"a\"); }",
        "_Pragma(\"omp parallel\") ; }",
        "[[maybe_unused]] int x; int a[2]; a[a[0]] = 1; }",
        "__int128 x; unsigned __int128 y; __int128 unsigned z; __int128_t w; }",
        "__auto_type x = 3; static __thread int y; __float128 z; }",
        "struct P { int a;; } p; p = (struct P){}; for (;;) { } }",
        "int a<:2:> = <%1, 2%>; a<:0:> = 3; }",
        "// comment \" ' \n int /* \" */ x = '\"'; char *s = \"/* no comment */ // none\"; }",
        "int lo\\\nng_name = 1; long_name = 2; }",
        "\n#pragma omp parallel\n  #pragma pack()\n#ident \"x\"\n int x; }",
        "int x;\u{c}\u{b}\r\n int y; }",
    ];
    for body in bodies {
        parse(&format!("void f(void) {{ {body}")).unwrap_or_else(|e| panic!("{body}: {e}"));
    }
    parse("main() { return 0; }\nf(a, b) int a; { }\nstatic g(void) { main(); f(1); }").unwrap();
    parse("struct S { int b : 3; unsigned : 2; };\nstatic x, y[3];\nextern z;").unwrap();
    parse("typedef int T; static T v; T f(T); T w;").unwrap();
    parse("").unwrap();
    parse("\u{feff}int x;").unwrap();
}

#[test]
fn repairs_keep_the_meaning() {
    let text = |source: &str| {
        let parsed = parse(source).unwrap();
        parsed.text[repair::PRELUDE.len()..].to_string()
    };
    let unchanged = [
        "void f(int x) { if (x) l: x = 1; x = x ? x : 1; switch (x) { case 1: x++; default: f(2); } }",
        "typedef int T; T f(void); static T x; const T y; void g(T); struct S { T a, b; };",
        "char *s = \"main() { l: } '\\033' \\x41\\\\e\"; char c = '\\'';",
        "void f(int x) { x = _Generic(x, int: 1, default: 2); if (x) { } else { } f(x); }",
        "struct S { unsigned a : 1; unsigned b : 2; } s = { .a = 1, .b = 1 };",
        "int f(x) int x; { return x; }",
        "int (f)(void) {} int (*g(void))(int) {} void h(void) { if (f()) {} for (;;) {} }",
    ];
    for source in unchanged {
        assert_eq!(text(source), source);
    }
    assert_eq!(text("f() { g(); l: }"), "int f() { g(); l:; }");
    assert_eq!(text("int c = '\\e';"), "int c = '\\033';");
    assert_eq!(text("char *s = \"\\u00e9\\q\";"), "char *s = \"\u{e9}q\";");
    assert_eq!(text("unsigned __int128 x;"), "__uint128_t x;");
    // Placeholders for gcc's types never count as declared.
    assert_eq!(parse("int x;").unwrap().unit.0.len(), 1);
}

#[test]
fn errors_are_one_clear_message_at_the_place() {
    let cases = [
        ("int main(void) { foo x; }", "t.i:1:18: unknown type name `foo`"),
        ("foo *x;", "t.i:1:1: unknown type name `foo`"),
        ("int f(foo x);", "t.i:1:7: unknown type name `foo`"),
        ("void f(int x) { if (x) l: int y; }", "t.i:1:31: syntax error near `y`"),
        ("int x = 1\nint y;", "t.i:2:1: syntax error near `int`"),
        ("int f(void) { return (1; }", "t.i:1:26: `}` closes a bracket opened by `(`"),
        ("int f(void) {\n  if (1) {\n  x = 1;", "t.i:2:10: this `{` is never closed"),
        ("}", "t.i:1:1: `}` without an opening bracket"),
        ("int x = ", "t.i:1:7: the text ends in the middle of a declaration"),
        ("char *s = \"abc", "t.i:1:11: this string is never closed"),
        ("char c = 'a;\nint x;", "t.i:1:10: this character constant is never closed"),
        ("int x; /* abc", "t.i:1:8: this comment is never closed"),
        ("int x\0;", "t.i:1:6: a NUL byte: this is not C text"),
        ("int \u{e9};", "t.i:1:5: character `\u{e9}` outside of literals and comments"),
        ("#include <stdio.h>", "t.i:1:1: directive `#include` in text that should be preprocessed"),
        ("#pragma pack(1)", "t.i:1:1: packed structs (`#pragma pack`) are not modelled"),
        ("_Pragma(\"pack(1)\")", "t.i:1:1: packed structs (`#pragma pack`) are not modelled"),
        ("__asm__(\"nop\");", "t.i:1:1: inline assembly is not supported"),
        ("void f(void) { asm goto(\"\" : : : : l); l: ; }", "inline assembly is not supported"),
        ("void f(void) { _BitInt(7) x; }", "`_BitInt` is not supported"),
        ("void f(void) { int g(void) { return 1; } }", "t.i:1:28: syntax error near `{`"),
    ];
    for (source, message) in cases {
        let found = parse(source).expect_err(source);
        assert!(found.contains(message), "{source}: `{found}` without `{message}`");
    }
}

#[test]
fn deep_nesting_is_refused_and_what_is_accepted_fits_the_stack() {
    let repeat = |open: &str, n: usize, inner: &str, close: &str| {
        format!("int x; void f(void) {{ {}{inner}{}; }}", open.repeat(n), close.repeat(n))
    };
    let nested = parse(&repeat("(", 256, "x", ")")).expect_err("one bracket too many");
    assert!(nested.contains("deeper than 256"), "{nested}");
    let shapes = [
        ("(", "x", ")"),
        ("{", "x = 1;", "}"),
        ("x = ", "1", ""),
        ("- ", "x", ""),
        ("x + ", "x", ""),
        ("if (x) x = 1; else ", "x = 2", ""),
        ("if (x) ", "x = 2", ""),
        ("x ? x : ", "x", ""),
        ("l: ", "x", ""),
        ("(int)", "x", ""),
        ("(int){0} * ", "x", ""),
        ("sizeof ", "x", ""),
        ("*", "x", ""),
        ("({", "x", ";})"),
        ("do ", "x = 1", "; while (x)"),
        ("f(", "", ")"),
        ("a[", "x", "]"),
        ("int (", "y", ")"),
        ("for (;;) ", "x", ""),
    ];
    for (open, inner, close) in shapes {
        for n in [10, 100, 250, 1400] {
            // Which of the shapes are C does not matter; all must come back.
            let _ = parse(&repeat(open, n, inner, close));
        }
        let refused = parse(&repeat(open, 5000, inner, close)).expect_err(open);
        let reason = refused.contains("nested deeper") || refused.contains("in one another");
        assert!(reason, "{open}: {refused}");
    }
}

#[test]
fn files_that_are_no_programs() {
    let options = SourceOptions::default();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let message = |r: Result<Parsed, String>| r.expect_err("it must be refused");
    let missing = message(parse_path(&dir.path().join("none.c"), &options));
    assert!(missing.contains("there is no such file"), "{missing}");
    let directory = message(parse_path(dir.path(), &options));
    assert!(directory.contains("it is a directory"), "{directory}");
    let binary = message(parse_as("b.c", b"int x;\n\x7fELF\0\0", &options));
    assert!(binary.contains("b.c:2:5: error: a NUL byte"), "{binary}");
    let garbage = message(parse_as("b.i", b"\xff\xfe\x01\x02", &options));
    assert!(garbage.contains("b.i:1:1: error: a byte that is not UTF-8"), "{garbage}");
    let header = message(parse_as("h.c", b"int x;\n  #include <no/such.h>\n", &options));
    assert!(header.contains("h.c:2:12: error: no/such.h: No such file"), "{header}");
    assert!(header.contains("-I"), "{header}");
    let directive = message(parse_as("e.c", b"#if X\n#endif\n#error stop\n", &options));
    assert!(directive.contains("e.c:3:2: error: #error stop"), "{directive}");
    let compiler = SourceOptions { compiler: Some("no-such-compiler".into()), ..options.clone() };
    let none = message(parse_as("c.c", b"int x;", &compiler));
    assert!(none.contains("`no-such-compiler`") && none.contains("install"), "{none}");
    // Preprocessed text needs no compiler.
    parse_as("c.i", b"int x;", &compiler).unwrap();
    parse_as("empty.c", b"", &options).unwrap();
    parse_as("empty.i", b"", &options).unwrap();
    // Latin-1 is no obstacle in comments and keeps its value in strings.
    let latin = parse_as("l.i", b"// gr\xfc\xdfe\nchar *s = \"\xe9\\\xe9\";", &options).unwrap();
    assert!(latin.text.contains("\"\\351\\351\""), "{}", latin.text);
}

#[test]
fn options_reach_the_preprocessor() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("own.h"), "typedef long own_t;\n").expect("it is writable");
    let source = b"#include <own.h>\n#if SIZE != 3 || defined(__GNUC_RH_RELEASE__)\n#error size\n\
                   #endif\nown_t x = sizeof(int) == __SIZEOF_INT__;\n\
                   #if __SIZEOF_LONG__ != BYTES\n#error data model\n#endif\n\
                   #if __STDC_VERSION__ != 199901L\n#error standard\n#endif\n";
    for (data_model, bytes) in [(DataModel::Lp64, 8), (DataModel::Ilp32, 4)] {
        let options = SourceOptions {
            include_dirs: vec![dir.path().to_path_buf()],
            defines: vec!["SIZE=3".into(), format!("BYTES={bytes}")],
            std: Some("c99".into()),
            data_model,
            compiler: None,
        };
        parse_as("o.c", source, &options).unwrap();
    }
}

#[test]
fn system_headers_parse_in_both_data_models() {
    let headers = [
        "pthread",
        "stdatomic",
        "semaphore",
        "stdio",
        "stdlib",
        "string",
        "assert",
        "stdint",
        "threads",
        "errno",
        "limits",
        "unistd",
        "sched",
        "time",
        "stdbool",
        "stddef",
        "stdarg",
        "inttypes",
        "ctype",
        "signal",
        "setjmp",
        "math",
        "sys/types",
        "fcntl",
        "poll",
    ];
    let includes: String = headers.iter().map(|h| format!("#include <{h}.h>\n")).collect();
    let source = includes
        + "_Atomic int a; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; thread_local int t;\n\
           int main(void) {\n\
           int e = 0; atomic_fetch_add(&a, 1); atomic_compare_exchange_weak(&a, &e, 2);\n\
           atomic_store_explicit(&a, 1, memory_order_release);\n\
           assert(atomic_load(&a) == 1 && errno != EBUSY); return UINT64_MAX > INT_MAX; }\n";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let options = SourceOptions { data_model, ..SourceOptions::default() };
        parse_as("h.c", source.as_bytes(), &options).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Damaged programs: whatever comes out, nothing panics, and every place lies in the text.
#[test]
fn damaged_text_never_panics() {
    let seed = 7;
    let mut rng = Rng::new(seed);
    let program = "# 1 \"gone.c\"\ntypedef struct { int a[2]; } T; static T t = { { 1, 'x' } };\n\
                   int main(void) { /* c */ int i = 0; l: switch (i) { case 1: int y; break; \\\n \
                   default: t.a[0] += sizeof(T) ? 1 : 2; } for (;;) { if (i++ > 3) goto l; else return 1; }\n\
                   char *s = \"a\\e\\u00e9\"; (void) (T){}; _Static_assert(1); }\n";
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "\"",
        "'",
        "\\",
        "\n",
        "/*",
        "#",
        "[[",
        ":",
        ";",
        "\u{e9}",
        "case",
        "typedef",
        "__attribute__",
        "_Pragma",
        "<:",
        "int ",
        "# 3 \"x\"\n",
        "\\\n",
    ];
    parse(program).expect("the undamaged program parses");
    let mut accepted = 0;
    for round in 0..600 {
        let mut text = program.to_string();
        for _ in 0..rng.below(4) {
            let mut at = rng.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match rng.below(4) {
                0 => text.truncate(at.max(1)),
                1 => _ = text.remove(at),
                _ => text.insert_str(at, rng.pick::<&str>(&pieces)),
            }
        }
        let mut sources = SourceMap::new();
        let result = parse_text("d.c", &text, &mut sources);
        match result {
            Ok(parsed) => {
                accepted += 1;
                statements(&parsed);
            }
            Err(ds) => {
                assert_eq!(ds.len(), 1, "seed {seed} round {round}");
                let span = ds[0].span.expect("an error in a text has a place");
                let line = sources.line(span.file, span.line).unwrap_or_default();
                let inside = span.col as usize <= line.len() + 1;
                assert!(inside, "seed {seed} round {round}: {span:?}\n{text}");
                ds[0].render(&sources);
            }
        }
    }
    assert!((50..550).contains(&accepted), "{accepted} of 600 accepted: the test is one-sided");
}
