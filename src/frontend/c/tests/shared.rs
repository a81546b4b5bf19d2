//! Calls that share bodies. What they mean is tested with every snippet of the other files.

use super::harness::{check, lower_shared, lower_text, lower_with, violations};
use crate::frontend::c::LowerOptions;
use crate::program::{Program, SiteKind};

/// Edges of the first thread.
fn edges(program: &Program) -> usize {
    program.threads.iter().next().expect("there is main").edges.len()
}

/// A function that calls the one below twice, so many times.
fn tree(levels: usize) -> String {
    let mut text = String::from("int x; static void f0(int a) { x += a; x ^= 1; }\n");
    for k in 1..=levels {
        let below = k - 1;
        text += &format!("static void f{k}(int a) {{ f{below}(a); f{below}(a + 1); }}\n");
    }
    text + &format!("int main(void) {{ f{levels}(1); return 0; }}")
}

#[test]
fn a_tree_of_calls_grows_with_its_functions_only() {
    let [small, large] = [4, 8].map(|n| edges(&lower_shared(&tree(n)).expect("this is C")));
    assert!(large < 2 * small + 8, "{small} and {large} edges");
    let inlined = edges(&lower_text(&tree(8)).expect("this is C"));
    assert!(inlined > 10 * large, "{inlined} and {large} edges");
    assert_eq!(check(&tree(3)), [""; 0]);
}

#[test]
fn calls_are_inlined_up_to_the_limit() {
    let lowered = |inline_limit| {
        let options = LowerOptions { inline_limit, ..LowerOptions::default() };
        edges(&lower_with(&tree(7), &options).expect("this is C"))
    };
    let all = lowered(usize::MAX);
    let some = lowered(100);
    assert!((100..140).contains(&some) && all > 200, "{some} of {all}");
    // A tree that would be too large altogether.
    let options = LowerOptions::default();
    assert!(edges(&lower_with(&tree(30), &options).expect("this is C")) < 25_000);
}

#[test]
fn each_call_returns_to_where_it_came_from() {
    let text = "static int f(int a) { return a + 1; }
        int main(void) { int a = f(1), b = f(a), c = f(f(b)); A(a == 2 && b == 3 && c == 5);
        for (int i = 0; i < 3; i++) a = f(a); A(a == 5); return 0; }";
    assert_eq!(check(&text.replace("A(", "__VERIFIER_assert(")), [""; 0]);
}

/// The functions whose calls differ in more than their arguments are inlined.
#[test]
fn what_each_call_has_for_itself_is_not_shared() {
    for (function, calls) in [
        (
            "void *malloc(size_t); static int *f(int a) { int *p = malloc(4); *p = a; return p; }",
            "f(1); f(2);",
        ),
        ("static int f(int a) { return a ? f(a - 1) : 0; }", "f(1); f(2);"),
        (
            "void *g(void *p) { return p; } static int f(int a) {
            pthread_t t; pthread_create(&t, 0, g, 0); return pthread_join(t, 0); }",
            "f(1); f(2);",
        ),
        (
            "static int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
            int x = __builtin_va_arg(l, int); __builtin_va_end(l); return x; }",
            "f(1, 1); f(1, 2);",
        ),
    ] {
        let text = format!("{function} int main(void) {{ {calls} return 0; }}");
        let [inlined, shared] = [lower_text, lower_shared].map(|l| edges(&l(&text).expect("C")));
        assert_eq!(inlined, shared, "{text}");
    }
    // A recursive function is a part of the body that calls it.
    let text = "int x; static int r(int a) { x += a; return a ? r(a - 1) : 0; }
        static int f(int a) { return r(a); } int main(void) { f(x); f(x); f(x); f(x); return 0; }";
    let [inlined, shared] = [lower_text, lower_shared].map(|l| edges(&l(text).expect("C")));
    assert!(shared < inlined, "{shared} and {inlined} edges");
}

/// A pointer to a local of a shared body dies with the call, and a caller's stays alive in it.
#[test]
fn lifetimes_end_with_each_call() {
    let globals = "int *kept; static void keep(int a) { kept = &a; }
        static int get(int *p) { return *p; }";
    let good = format!(
        "{globals} int main(void) {{ int x = 3, y = 4; keep(1); keep(2);
        __VERIFIER_assert(get(&x) == 3 && get(&y) == 4); return 0; }}"
    );
    assert_eq!(check(&good), [""; 0]);
    let bad =
        format!("{globals} int main(void) {{ int x = 3; keep(1); get(&x); return get(kept); }}");
    assert_eq!(check(&bad), ["deref"]);
    // What is alive at the first call need not be at the second.
    let gone = format!(
        "{globals} int main(void) {{ {{ int x = 3; get(&x); kept = &x; }} return get(kept); }}"
    );
    assert_eq!(check(&gone), ["deref"]);
}

#[test]
fn a_result_is_missed_only_where_it_is_used() {
    let function = "static int f(int a) { if (a) return 1; }";
    let ignored = format!("{function} int main(void) {{ f(0); f(1); return f(1) - 1; }}");
    assert_eq!(check(&ignored), [""; 0]);
    let used = format!("{function} int main(void) {{ f(0); return f(0); }}");
    let program = lower_shared(&used).expect("this is C");
    assert_eq!(violations(&program), ["MissingReturn"]);
    assert!(program.sites.iter().any(|s| matches!(s.kind, SiteKind::Undefined(_))));
}
