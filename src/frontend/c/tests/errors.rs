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
    refused("int main() { _Alignas(3) int x; }", "no power of two");
    refused("int main() { int x __attribute__((aligned(1 << 20))); }", "above 65536");
    refused("int main() { int x; __builtin_add_overflow(1, &x); }", "2 arguments where 3");
    refused("int main() { _Bool b; __builtin_add_overflow(1, 2, &b); }", "of an integer type");
    refused("int main() { long l; __builtin_sadd_overflow(1, 2, &l); }", "is no `long`");
    refused("int main() { char *p; __builtin_mul_overflow(p, 2, &p); }", "an integer is needed");
    refused(
        "int main() { char t[9]; sprintf(t, \"%d %d\", 1); }",
        "needs 2 arguments: there are 1",
    );
    refused("int main() { char t[9]; sprintf(t, \"%ld\", 1); }", "`%ld` of a `int`");
    refused("int main() { char t[9]; sprintf(t, \"%5p\", t); }", "`%5p` in `sprintf`");
    refused(
        "struct s { int a, b; } _Atomic x; int main() { return x.a; }",
        "its value is read whole",
    );
    refused(
        "struct s { char a; int b; } _Atomic x; int main() { struct s t, u; \
         __atomic_compare_exchange(&x, &t, &u, 0, 5, 5); }",
        "padding",
    );
    refused("int main(int n, char **v) { int a[n] = { 1 }; }", "no initialiser");
    refused("struct s { int a : 3; } x; int main() { int *p = &x.a; }", "address of a bit-field");
    refused("int main() { pthread_mutex_lock(); }", "0 arguments where 1 are needed");
    refused("int f(void); int main() { return f(); }", "call of `f`, which has no body");
    refused("int main() { __asm__(\"cli\"); }", "inline assembly");
    refused("_Thread_local int x; int *p = &x; int main() { return *p; }", "thread-local");
    refused(
        "_Thread_local int x; extern int x; int main() { return x; }",
        "only one is thread-local",
    );
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
}

#[test]
fn what_is_not_reached_does_not_matter() {
    let text = "union u { int a; } g; double d = 1.5; struct b { int x : 2; };
        int f(int n) { return f(n); } double h(double x) { return x * 2; }
        int (*p)(int) = f; int main() { return 0; }";
    assert_eq!(check(text), [""; 0]);
}
