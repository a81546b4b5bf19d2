//! Programs of several files.

use super::harness::{lower_files, violations};

fn found(texts: &[&str]) -> Vec<String> {
    match lower_files(texts) {
        Ok(p) => violations(&p),
        Err(e) => panic!("{e}"),
    }
}

fn refused(texts: &[&str], message: &str) {
    match lower_files(texts) {
        Ok(_) => panic!("{texts:?} should be refused"),
        Err(e) => assert!(e.contains(message), "{e}"),
    }
}

#[test]
fn external_names_are_shared_and_static_ones_are_not() {
    let main = "extern int x; static int s = 1; int get(void); static int f(void) { return s; }
        int main(void) { x = 3; __VERIFIER_assert(get() == 5 && f() == 1 && x == 3); return 0; }";
    let other = "int x; static int s = 2; static int f(void) { return s; }
        int get(void) { return x + f(); }";
    assert_eq!(found(&[main, other]), [""; 0]);
    assert_eq!(found(&[other, main]), [""; 0]);
    assert_eq!(found(&[main, &other.replace("s = 2", "s = 4")]), ["assert"]);
}

#[test]
fn structs_of_a_header_are_one_type() {
    let header = "struct p { int a; struct p *next; }; extern struct p g; int f(struct p v);";
    let main = format!("{header} int main(void) {{ __VERIFIER_assert(f(g) == 4); return 0; }}");
    let other = format!("{header} struct p g = {{ 4 }}; int f(struct p v) {{ return v.a; }}");
    assert_eq!(found(&[&main, &other]), [""; 0]);
}

#[test]
fn conflicts_are_errors() {
    let main = "int x = 1; int f(int v) { return v; } int main(void) { return f(x); }";
    refused(&[main, "int x;"], "`x` is defined twice");
    refused(&[main, "extern char x;"], "conflicting declarations of `x`");
    refused(&[main, "int f(char *v);"], "conflicting declarations of function `f`");
    refused(&[main, "int f(int v) { return 1; }"], "function `f` is defined twice");
    refused(&[main, "int f;"], "conflicting declarations of `f`");
    refused(&[main, "int main(void) { return 0; }"], "function `main` is defined twice");
    assert_eq!(found(&[main, "extern int x; static int f(void) { return x; }"]), [""; 0]);
}
