//! C without threads: each snippet asserts what C says.

use super::harness::{check, check_main, lower_with, violations};
use crate::frontend::c::{DataModel, LowerOptions};

fn holds(globals: &str, body: &str) {
    assert_eq!(check_main(globals, body), [""; 0], "{globals}\n{body}");
}

fn fails(globals: &str, body: &str) {
    assert_eq!(check_main(globals, body), ["assert"], "{globals}\n{body}");
}

#[test]
fn assertions_can_fail() {
    fails("", "int x = 1; A(x == 2);");
    fails("int x;", "A(x);");
    fails("", "int x; A(x == 0);");
    holds("", "int x; x = 0; A(x == 0);");
}

#[test]
fn integer_conversions() {
    holds("", "unsigned char c = 200; c += 100; A(c == 44); signed char s = 200; A(s == -56);");
    holds("", "int x = -1; unsigned u = x; A(u == 4294967295u); A(x > 0u); A(-1 < 0);");
    holds("", "long l = -1; unsigned u = 1; A(l < u); A((unsigned char)-1 == 255);");
    holds("", "_Bool b = 256; A(b == 1); b = 0; b--; A(b == 1); b++; A(b == 1);");
    holds("", "short s = 40000; A(s == -25536); A((short)s * 2 == -51072);");
    holds("", "char c = 255; A(c == -1); A('\\377' == -1 && 'a' == 97 && '\\n' == 10);");
    holds("", "A(sizeof(long) == 8 && sizeof(int *) == 8 && sizeof(char) == 1);");
    holds("", "char c = 1; A(sizeof(c ? c : c) == 4 && sizeof(c, c) == 1 && sizeof(+c) == 4);");
    holds("", "A(2147483648 > 0 && 0xffffffff > 0 && -2147483647 - 1 < 0);");
    holds("", "unsigned long long u = 1ull << 63; A(u >> 63 == 1); A((int)(u >> 32) < 0);");
}

#[test]
fn operators() {
    holds("", "int a = 7, b = -2; A(a / b == -3 && a % b == 1 && b / 2 == -1 && -7 % 3 == -1);");
    holds(
        "",
        "int a = 5; A((a & 3) == 1 && (a | 8) == 13 && (a ^ 1) == 4 && ~a == -6 && !a == 0);",
    );
    holds("", "int a = -8; A(a >> 1 == -4); unsigned u = -8; A(u >> 1 == 2147483644);");
    holds(
        "",
        "int i = 1; int j = i++ + 1; A(i == 2 && j == 2); j = ++i; A(j == 3); j = i--; A(j == 3 && i == 2);",
    );
    holds(
        "int g;",
        "int j = g++; A(j == 0 && g == 1); j = --g; A(j == 0 && g == 0); g += 5; g <<= 2; A(g == 20);",
    );
    holds(
        "",
        "int a = 1, b = 0, c = 0; if (a || (b = 1)) c = 1; A(b == 0 && c == 1); b = a && (c = 5); A(c == 5 && b == 1);",
    );
    holds(
        "int g;",
        "int r = g && (g = 5); A(r == 0 && g == 0); r = !g || (g = 7); A(r == 1 && g == 0);",
    );
    holds(
        "",
        "int a = 3; int r = a > 2 ? 10 : 20; A(r == 10); r = a > 5 ? 1 : a > 2 ? 2 : 3; A(r == 2);",
    );
    holds("", "int a, b; a = b = 4; A(a == 4 && b == 4); int c = (a = 1, a + 1); A(c == 2);");
}

#[test]
fn statements() {
    holds(
        "",
        "int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; s += i; } A(s == 7);",
    );
    holds("", "int s = 0, i = 0; while (1) { if (i++ == 4) break; s += i; } A(s == 10);");
    holds("", "int n = 0; do n++; while (n < 3); A(n == 3); do { n = 9; } while (0); A(n == 9);");
    holds("", "int r = 0; for (int i = 0; i < 6; i++) switch (i) { case 0: r += 1; case 1: r += 10; break;
        case 3 ... 4: r += 100; break; default: r += 1000; } A(r == 2221);");
    holds(
        "",
        "int i = 0; again: i++; if (i < 4) goto again; A(i == 4); goto out; A(0); out: A(i == 4);",
    );
    holds("", "switch (3) { int y; case 3: y = 4; A(y == 4); }");
    fails("", "switch (3) { int y = 2; case 3: A(y == 2); }");
    holds("", "int x = 1; { int x = 2; A(x == 2); } A(x == 1);");
    holds("", "int x = ({ int y = 3; y + 1; }); A(x == 4);");
    holds("", "int n = 0; goto in; while (n < 3) { n += 10; in: n++; } A(n == 12);");
}

#[test]
fn functions_are_inlined() {
    holds(
        "int f(int a, int b) { return a - b; }",
        "A(f(5, f(3, 1)) == 3 && f(1, 2) + f(3, 1) == 1);",
    );
    holds(
        "int f(int n) { int s = 0; while (n > 0) s += n--; return s; }",
        "A(f(4) == 10 && f(0) == 0);",
    );
    holds("void set(int *p, int v) { *p = v; }", "int x; set(&x, 3); A(x == 3);");
    holds("int f(int a) { if (a) return 1; return 2; }", "int t = f(0); A(t == 2 && f(7) == 1);");
    holds("int c(void) { static int n; return ++n; }", "c(); c(); A(c() == 3);");
    holds(
        "struct p { int x, y; }; struct p mk(int a) { struct p r = { a, a + 1 }; return r; }
        int sum(struct p q) { q.x += q.y; return q.x; }",
        "struct p s = mk(3); A(sum(s) == 7 && s.x == 3 && mk(5).y == 6);",
    );
    holds("int f(a, b) int a; int b; { return a * b; }", "A(f(3, 4) == 12);");
    assert_eq!(check_main("int f(int a) { if (a) return 1; }", "A(f(1) == 1);"), [""; 0]);
    assert_eq!(check_main("int f(int a) { if (a) return 1; }", "int x = f(0);"), ["MissingReturn"]);
    assert_eq!(check_main("int f(int a) { if (a) return 1; }", "f(0);"), [""; 0]);
}

#[test]
fn arrays_and_structs() {
    holds(
        "int a[3] = { 1, 2, 3 };",
        "int s = 0; for (int i = 0; i < 3; i++) s += a[i]; A(s == 6);",
    );
    holds(
        "int m[2][3] = { { 1, 2, 3 }, { 4, 5 } };",
        "int i = 1; A(m[i][1] == 5 && m[i][2] == 0 && m[0][2] == 3);",
    );
    holds(
        "struct s { char c; int a[2]; struct { short h; } in; } g = { 'x', { [1] = 7 }, .in = { 3 } };",
        "A(g.c == 'x' && g.a[0] == 0 && g.a[1] == 7 && g.in.h == 3 && sizeof(g) == 16);",
    );
    holds(
        "",
        "int a[4] = { [1 ... 2] = 5, 6 }; A(a[0] == 0 && a[1] == 5 && a[2] == 5 && a[3] == 6);",
    );
    holds("", "int a[] = { 1, 2 }; A(sizeof a / sizeof a[0] == 2); a[1] += 3; A(a[1] == 5);");
    holds(
        "struct s { int a[2], b; } g = { .a = 4, 5 }; struct s h[] = { [1].b = 3, { 7 } };",
        "A(g.a[1] == 5 && g.b == 0 && h[1].b == 3 && h[2].a[0] == 7 && sizeof h == 36);",
    );
    holds("", "char s[] = \"abc\"; A(sizeof s == 4 && s[1] == 'b' && s[3] == 0);");
    holds(
        "struct p { int x, y; };",
        "struct p a = { 1, 2 }, b; b = a; b.x = 9; A(a.x == 1 && b.x == 9 && b.y == 2);",
    );
    holds(
        "struct p { int x, y; } g[2];",
        "int i = 1; struct p a = { 1, 2 }; g[i] = a; A(g[1].y == 2); a = g[0]; A(a.x == 0);",
    );
    holds("struct p { int x, y; };", "struct p a = (struct p){ .y = 4 }; A(a.x == 0 && a.y == 4);");
    holds("", "int a[2][2] = { 1, 2, 3, 4 }; A(a[1][0] == 3);");
    holds("enum e { P, Q = 5, R };", "enum e v = R; A(v == 6 && P == 0 && sizeof(enum e) == 4);");
    assert_eq!(check_main("int a[3];", "int i = 3; a[i] = 1;"), ["bounds"]);
    assert_eq!(check_main("int a[2][3];", "int i = 3; a[0][i] = 1;"), ["bounds"]);
    assert_eq!(check_main("int a[3];", "a[3] = 1;"), ["bounds"]);
    assert_eq!(check_main("", "int a[3]; a[-1] = 1;"), ["bounds"]);
    assert_eq!(check_main("int a[3];", "long i = 1L << 62; a[i] = 1;"), ["bounds"]);
}

#[test]
fn pointers() {
    holds("int x; int *p = &x;", "*p = 4; A(x == 4); p++; A(p - 1 == &x && p != &x);");
    holds(
        "int a[4]; int *e = &a[3];",
        "int *p = a; *(p + 2) = 5; A(a[2] == 5 && e - p == 3 && p < e); p = &a[1]; p[1]++; A(a[2] == 6);",
    );
    holds(
        "struct n { int v; struct n *next; } b = { 2 }, a = { 1, &b };",
        "struct n *p = &a; int s = 0; while (p) { s += p->v; p = p->next; } A(s == 3);",
    );
    holds(
        "",
        "int x = 1, y = 2; int *p = &x, *q = &y; int t = *p; *p = *q; *q = t; A(x == 2 && y == 1);",
    );
    holds(
        "",
        "int x = 258; unsigned char *c = (unsigned char *)&x; A(c[0] == 2 && c[1] == 1); c[1] = 0; A(x == 2);",
    );
    holds("", "int x; int **pp; int *p = &x; pp = &p; **pp = 3; A(x == 3);");
    holds(
        "const char *s = \"hi\";",
        "A(s[0] == 'h' && s[2] == 0); const char *t = \"xy\"; A(*++t == 'y');",
    );
    holds("int x;", "long l = (long)&x; int *p = (int *)l; *p = 6; A(x == 6); A((int *)0 == 0);");
    holds(
        "int m[2][3];",
        "int (*r)[3] = m; r[1][2] = 7; A(m[1][2] == 7); int *q = m[1]; A(q[2] == 7);",
    );
    holds(
        "",
        "int a[3]; int *p = a; *p++ = 1; *p++ = 2; *p = 3; A(a[0] == 1 && a[1] == 2 && a[2] == 3);",
    );
    assert_eq!(check_main("int *p;", "*p = 1;"), ["deref"]);
    assert_eq!(check_main("", "int *p; *p = 1;"), ["deref"]);
    assert_eq!(check_main("int x;", "int *p = &x; p++; *p = 1;"), ["deref"]);
    assert_eq!(
        check_main("int *f(void) { int x = 1; int *p = &x; return p; }", "*f() = 2;"),
        ["deref"]
    );
    assert_eq!(check_main("", "int *p; { int x = 1; p = &x; } *p = 2;"), ["deref"]);
    assert_eq!(
        check_main(
            "",
            "int *p = 0; for (int i = 0; i < 2; i++) { if (p) *p = 2; int x = 1; p = &x; }"
        ),
        ["deref"]
    );
}

#[test]
fn divisions_are_checked() {
    assert_eq!(check_main("int g;", "int x = 1 / g;"), ["DivisionByZero"]);
    assert_eq!(check_main("int g = -1;", "int x = (-2147483647 - 1) % g;"), ["DivisionByZero"]);
    holds("int g = 2;", "A(7 / g == 3 && 7 % g == 1);");
    holds("unsigned g = -1;", "A(5 / g == 0);");
}

#[test]
fn nondeterminism() {
    fails("", "A(__VERIFIER_nondet_uchar() != 77);");
    holds("", "unsigned char c = __VERIFIER_nondet_uchar(); __VERIFIER_assume(c < 3); A(c <= 2);");
    holds("", "_Bool b = __VERIFIER_nondet_bool(); A(b == 0 || b == 1);");
    fails("", "unsigned char c = __VERIFIER_nondet_uchar(); A(c == c + 0 && c != 255);");
}

#[test]
fn ends() {
    holds("", "abort(); A(0);");
    fails("", "A(0); abort();");
    assert_eq!(check("int main() { reach_error(); }"), ["assert"]);
    assert_eq!(
        check("void reach_error(void) { __VERIFIER_assert(0); } int main() { reach_error(); }"),
        ["assert"]
    );
    holds("", "printf(\"%d\\n\", 3); int n = printf(\"x\"); A(n == n);");
    assert_eq!(
        check("int main(int argc, char **argv) { __VERIFIER_assert(argc >= 0); }"),
        ["assert"]
    );
}

#[test]
fn volatile_and_static() {
    holds("", "volatile int v = 3; v++; A(v == 4);");
    holds(
        "static const int n = 4; int a[4];",
        "for (int i = 0; i < n; i++) a[i] = i; A(a[3] == 3);",
    );
    holds("typedef struct { int x; } T; extern T t; T t = { 5 };", "A(t.x == 5);");
    holds("int t[]; int t[3]; int u[] = { 1 };", "t[2] = 1; A(sizeof t == 12 && sizeof u == 4);");
}

/// Its function has no body here, as nothing reachable names it.
#[test]
fn a_table_of_functions_that_nothing_uses() {
    let text = "static int add(int x) { return x + 1; } static int less(int x) { return x - 1; }
        int (*table[1])(int) = { add }; int (*op)(int) = less;
        int main(void) { __VERIFIER_assert(op(1) == 0); return 0; }";
    assert_eq!(check(text), Vec::<String>::new());
}

/// A 64-bit type has two units of alignment on i386, so that its bit-fields lie closer.
#[test]
fn wide_bit_fields_of_both_data_models() {
    for (data_model, size) in [(DataModel::Lp64, 16), (DataModel::Ilp32, 12)] {
        let text = format!(
            "union {{ struct {{ long long a : 40, b : 28; }} s; unsigned char c[16]; }} u;
            int main(void) {{ u.s.b = -1; u.s.a = 1; __VERIFIER_assert(sizeof u.s == {size}
            && u.s.b == -1 && u.s.a == 1 && u.c[{}] == 0xff); return 0; }}",
            size - 7
        );
        let options = LowerOptions { data_model, ..LowerOptions::default() };
        let program = lower_with(&text, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(violations(&program), [""; 0], "{data_model:?}");
    }
}
