//! Thread instances, pools, mutexes, atomic sections, ends.

use super::harness::{check, error, lower_text, lower_with};
use crate::frontend::c::LowerOptions;
use crate::program::Program;

const NOTHING: [&str; 0] = [];

fn names(p: &Program) -> Vec<&str> {
    p.threads.iter().map(|t| t.name.as_str()).collect()
}

/// A program whose `main` has this body; `w` is a thread that adds 1 to `x` under the mutex `m`.
fn program(body: &str) -> String {
    let body = body.replace("CREATE", "pthread_create(&t, 0, w, 0)");
    format!(
        "pthread_mutex_t m; int x; pthread_t t; int sel = 2; const int N = 2;
        void *w(void *q) {{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return q; }}
        void *one(void *q) {{ pthread_t u; pthread_create(&u, 0, w, 0); return 0; }}
        void spawn(int n) {{ for (int i = 0; i != n; i++) CREATE; }}
        void start(void *(*f)(void *), void *a) {{ pthread_t u; pthread_create(&u, 0, f, a); }}
        int main(void) {{ {body} return 0; }}"
    )
    .replace("CREATE", "pthread_create(&t, 0, w, 0)")
}

fn instances(body: &str) -> usize {
    match lower_text(&program(body)) {
        Ok(p) => p.threads.len() - 1,
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn one_instance_where_a_site_runs_once() {
    assert_eq!(instances("CREATE;"), 1);
    assert_eq!(instances("CREATE; CREATE;"), 2);
    assert_eq!(instances("if (x) CREATE; else CREATE;"), 2);
    assert_eq!(instances("do { CREATE; } while (0);"), 1);
    assert_eq!(instances("if (0) CREATE; while (0) CREATE; return 0; CREATE;"), 0);
    assert_eq!(instances("switch (sel) { case 1: CREATE; case 2: CREATE; }"), 2);
    assert_eq!(instances("goto l; l: CREATE;"), 1);
    assert_eq!(instances("start(w, 0); start(w, 0);"), 2);
    assert_eq!(instances("pthread_create(&t, 0, one, 0);"), 2);
}

#[test]
fn constant_bounds_of_loops() {
    assert_eq!(instances("for (int i = 0; i < 4; i++) CREATE;"), 4);
    assert_eq!(instances("for (int i = 4; i > 0; i -= 2) CREATE;"), 2);
    assert_eq!(instances("unsigned char i; for (i = 250; i >= 250; i++) CREATE;"), 6);
    assert_eq!(instances("for (long i = 0; i <= 1 && x == 0; ++i) CREATE;"), 2);
    assert_eq!(
        instances("for (int i = 0; i < N; i = i + 1) for (int j = 0; j < 3; j++) CREATE;"),
        6
    );
    assert_eq!(instances("int i = 0; while (i < 2) { CREATE; i++; }"), 2);
    assert_eq!(instances("spawn(2); spawn(1);"), 3);
    assert_eq!(instances("for (int i = 0; i < 2; i++) start(w, 0);"), 2);
    assert_eq!(instances("for (int i = 0; i < 2; i++) pthread_create(&t, 0, one, 0);"), 4);
}

#[test]
fn unknown_bounds_of_loops() {
    assert_eq!(instances("while (x < 5) CREATE;"), 3);
    assert_eq!(instances("for (int i = 0; i < 2; i++) { CREATE; i = x; }"), 3);
    assert_eq!(instances("for (int i = 0; i < x; i++) CREATE;"), 3);
    assert_eq!(instances("int i = 0; while (i < 2) { if (x) continue; CREATE; i++; }"), 3);
    assert_eq!(instances("l: CREATE; if (x < 3) goto l;"), 3);
    assert_eq!(instances("l: if (CREATE == 0 && x < 3) goto l;"), 3);
    assert_eq!(instances("goto c; l: CREATE; goto e; c: if (x) goto l; e: ;"), 3);
    assert_eq!(instances("for (;;) pthread_create(&t, 0, one, 0);"), 3 + 9);
    assert_eq!(instances("int i; for (i = 0; i < 2; i++) { int *p = &i; CREATE; }"), 3);
    assert_eq!(instances("int i; goto in; for (i = 0; i < 2; i++) { in: CREATE; }"), 3);
    assert_eq!(
        instances("int i = 7; switch (x) { for (i = 0; i < 2; i++) { case 0: CREATE; } }"),
        3
    );
    assert_eq!(instances("for (int i = 0; i < 2; i++) switch (x) { case 0: CREATE; }"), 2);
    let e = error(&program("for (int i = 0; i < 100; i++) CREATE;"));
    assert!(e.contains("more than 64 thread instances"), "{e}");
}

#[test]
fn pools() {
    let text = "pthread_t t; int x, sel = 2; void *w(void *q) { x++; return 0; }
        int main(void) { for (int i = 0; i < LIMIT; i++) { pthread_create(&t, 0, w, 0); JOIN }
        __VERIFIER_assert(x < 4); }";
    let with = |limit: &str, join: &str| text.replace("LIMIT", limit).replace("JOIN", join);
    assert_eq!(check(&with("4", "pthread_join(t, 0);")), ["assert"]);
    assert_eq!(check(&with("3", "pthread_join(t, 0);")), NOTHING);
    assert_eq!(check(&with("sel + 2", "pthread_join(t, 0);")), ["assert"]);
    assert_eq!(check(&with("sel + 1", "")), NOTHING);
    assert_eq!(check(&with("sel + 2", "")), ["Threads"]);
    let four = LowerOptions { threads: 4, ..LowerOptions::default() };
    let p = lower_with(&with("sel + 2", ""), &four).unwrap();
    assert_eq!(super::harness::violations(&p), ["assert"]);
    assert_eq!(names(&p), ["main", "w#1", "w#2", "w#3", "w#4"]);
}

#[test]
fn a_thread_that_creates_its_own_kind() {
    let text =
        "int n; void *f(void *q) { pthread_t t; if (n++ < LIMIT) pthread_create(&t, 0, f, 0);
        return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }";
    assert_eq!(check(&text.replace("LIMIT", "2")), NOTHING);
    assert_eq!(check(&text.replace("LIMIT", "3")), ["Threads"]);
}

#[test]
fn results_and_ids() {
    let text = "int x; void *f(void *q) { *(int *)q = 3; return q; }
        void *g(void *q) { pthread_exit((void *)7); return 0; }
        int main(void) { pthread_t a, b; void *r, *s; int v;
        __VERIFIER_assert(pthread_create(&a, 0, f, &v) == 0); pthread_create(&b, 0, g, 0);
        pthread_join(a, &r); pthread_join(b, &s);
        __VERIFIER_assert(*(int *)r == 3 && (long)s == 7 && a != b && pthread_self() != a); }";
    assert_eq!(check(text), NOTHING);
    assert_eq!(check("int main() { pthread_join(77, 0); }"), ["InvalidThread"]);
    assert_eq!(check("int main() { pthread_t t; pthread_join(t, 0); }"), ["InvalidThread"]);
}

#[test]
fn mutexes() {
    let f = "pthread_mutex_t m, *p = &m; int main() { ";
    assert_eq!(check(&format!("{f} pthread_mutex_lock(p); pthread_mutex_unlock(&m); }}")), NOTHING);
    assert_eq!(
        check(&format!("{f} pthread_mutex_lock(&m); pthread_mutex_lock(p); }}")),
        ["deadlock"]
    );
    assert_eq!(check(&format!("{f} pthread_mutex_unlock(&m); }}")), ["MutexMisuse"]);
    assert_eq!(
        check(&format!("{f} pthread_mutex_lock(p); pthread_mutex_destroy(p); }}")),
        ["MutexMisuse"]
    );
    assert_eq!(
        check(&format!("{f} pthread_mutex_init(p, 0); pthread_mutex_destroy(p); }}")),
        NOTHING
    );
    assert_eq!(check(&format!("{f} p = 0; pthread_mutex_lock(p); }}")), ["deref"]);
    let text =
        "__VERIFIER_assert(pthread_mutex_trylock(p) == 0 && pthread_mutex_trylock(&m) == 16); }";
    assert_eq!(check(&format!("{f} {text}")), NOTHING);
    let array = "pthread_mutex_t m[2]; int main() { int i = 1; pthread_mutex_lock(&m[i]);
        pthread_mutex_lock(&m[0]); pthread_mutex_unlock(m + i); i++; pthread_mutex_lock(&m[i]); }";
    assert_eq!(check(array), ["bounds"]);
    let blocked =
        format!("{f} pthread_mutex_lock(p); __VERIFIER_atomic_begin(); pthread_mutex_lock(p); }}");
    assert_eq!(check(&blocked), ["blocked"]);
}

#[test]
fn atomic_functions() {
    let text = "int x; void __VERIFIER_atomic_inc(int by) { x = x + by; }
        void *w(void *q) { __VERIFIER_atomic_inc(1); return 0; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
        pthread_join(a, 0); pthread_join(b, 0); __VERIFIER_assert(x == 2); }";
    assert_eq!(check(text), NOTHING);
    assert_eq!(check(&text.replace("_atomic_inc", "_nonatomic_inc")), ["assert"]);
}

#[test]
fn ends_of_main() {
    let text = "int x; void *w(void *q) { __VERIFIER_assert(x == 0); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); BODY }";
    assert_eq!(check(&text.replace("BODY", "return 0;")), NOTHING);
    assert_eq!(check(&text.replace("BODY", "x = 1; pthread_exit(0);")), ["assert"]);
    assert_eq!(check(&text.replace("BODY", "x = 1; __VERIFIER_assume(0); x = 2;")), ["assert"]);
}

#[test]
fn a_local_is_gone_when_its_function_returns() {
    let text = "void *w(void *q) { *(int *)q = 1; return 0; }
        void f(void) { pthread_t t; int v; pthread_create(&t, 0, w, &v); JOIN }
        int main(void) { f(); pthread_exit(0); }";
    assert_eq!(check(&text.replace("JOIN", "")), ["deref"]);
    assert_eq!(check(&text.replace("JOIN", "pthread_join(t, 0);")), NOTHING);
}

#[test]
fn undefined_behaviour_can_be_assumed_away() {
    let options = LowerOptions { assume_defined: true, ..LowerOptions::default() };
    for body in [
        "int a[2]; int i = 2; a[i] = 1;",
        "int *p = 0; *p = 1; int v = *p;",
        "int z = 0; int v = 1 / z;",
        "pthread_mutex_t m, *p = 0; pthread_mutex_unlock(&m); pthread_mutex_lock(p); m = *p;",
        "int v = f(); pthread_mutex_destroy(0); pthread_mutex_trylock(0);",
    ] {
        let text = format!("int f(void) {{ }} int main(void) {{ {body} __VERIFIER_assert(0); }}");
        let p = lower_with(&text, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(super::harness::violations(&p), ["assert"], "{body}");
    }
}

/// An array of ids costs as many unknown bits as numbers of threads need, and is no valid id by
/// itself; else `pthread_t` is the type that C says.
#[test]
fn unknown_thread_ids_are_narrow() {
    let text = "void *w(void *q) { return 0; }
        int main(void) { pthread_t t[2]; int k = 1;
        for (int i = 0; i < k; i++) pthread_create(&t[i], 0, w, 0);
        pthread_join(t[WHICH], 0);
        __VERIFIER_assert(_Generic(t[0], unsigned long: 1, default: 0));
        __VERIFIER_assert(_Generic(&t[0], unsigned long *: 1, default: 0)); }";
    let valid = text.replace("WHICH", "0");
    let p = lower_text(&valid).expect("it is supported");
    let widths: Vec<u32> = p.inputs.iter().map(|i| i.width).collect();
    assert_eq!(widths, [7, 7]);
    assert_eq!(check(&valid), NOTHING);
    assert_eq!(check(&text.replace("WHICH", "1")), ["InvalidThread"]);
}
