//! What is refused, and how it is said.

use super::harness::{check, error};

fn refused(text: &str, message: &str) {
    let e = error(text);
    assert!(e.contains(message), "{text}\n{e}");
    assert!(e.contains("user.c:") || message.contains("no function"), "{e}");
}

#[test]
fn constructs_are_named() {
    refused("int main() { double d = 1; }", "floating-point");
    refused("int main() { float d; return d > 1; }", "floating-point");
    refused("union u { int a; char b; }; int main() { union u x; x.a = 1; }", "a union is not");
    refused("struct s { int a : 3; }; int main() { struct s x; x.a = 1; }", "a bit-field");
    refused("int main(int n, char **v) { int a[n]; }", "variable-length array");
    refused("int f(int n) { return n ? f(n - 1) : 0; } int main() { f(3); }", "recursion of `f`");
    refused(
        "int g(int); int f(int n) { return g(n); } int g(int n) { return f(n); }
        int main() { f(3); }",
        "recursion of `f`",
    );
    refused("int f(void); int main() { return f(); }", "call of `f`, which has no body");
    refused(
        "int f(void) { return 1; } int (*p)(void) = f; int main() { return p(); }",
        "function pointers",
    );
    refused("int main() { __asm__(\"nop\"); }", "inline assembly");
    refused("_Atomic int x; int main() { x = 1; }", "_Atomic");
    refused("_Thread_local int x; int main() { x = 1; }", "thread-local");
    refused("int f(void) { return 0; }", "no function `main`");
    refused("int main() { return y; }", "`y` is not declared");
    refused("int x; char *x; int main() { return 0; }", "conflicting declarations of `x`");
    refused("int main() { goto l; }", "label `l` is not defined");
    refused("int main() { break; }", "`break` outside");
    refused("extern int x; int main() { return x; }", "declared but not defined");
    refused("int main() { pthread_mutex_t m; foo(&m); }", "call of `foo`");
    refused("int main() { __VERIFIER_atomic_end(); }", "did not begin");
    refused(
        "int main() { if (__VERIFIER_nondet_bool()) __VERIFIER_atomic_begin(); }",
        "inside and outside",
    );
    refused(
        "void *(*h)(void *); int main() { pthread_t t; pthread_create(&t, 0, h, 0); }",
        "function pointers",
    );
}

#[test]
fn what_is_not_reached_does_not_matter() {
    let text = "union u { int a; } g; double d = 1.5; struct b { int x : 2; };
        int f(int n) { return f(n); } double h(double x) { return x * 2; }
        int (*p)(int) = f; int main() { return 0; }";
    assert_eq!(check(text), [""; 0]);
}
