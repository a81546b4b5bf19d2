//! Whole programs with threads.

use super::harness::check;

const LOST: &str = "int x;
void *w(void *q) { for (int i = 0; i < 2; i++) x++; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    __VERIFIER_assert(x == 4);
    return 0; }";

#[test]
fn increments_get_lost() {
    assert_eq!(check(LOST), ["assert"]);
}

#[test]
fn a_mutex_protects() {
    let text = LOST.replace("x++;", "{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }");
    assert_eq!(check(&format!("pthread_mutex_t m;\n{text}")), [""; 0]);
}

#[test]
fn accounts_through_arguments() {
    let text = "int bal = 1000;
    void *tx(void *q) { int c = bal; c += *(int *)q; bal = c; return 0; }
    int main(void) {
        pthread_t a, b; int d1 = -3000, d2 = 9000;
        pthread_create(&a, 0, tx, &d1); pthread_create(&b, 0, tx, &d2);
        pthread_join(a, 0); pthread_join(b, 0);
        __VERIFIER_assert(bal == 7000); return 0; }";
    assert_eq!(check(text), ["assert"]);
    let safe = text.replace("pthread_create(&b", "pthread_join(a, 0); pthread_create(&b");
    assert_eq!(
        check(&safe.replacen("pthread_join(a, 0); pthread_join(b", "pthread_join(b", 1)),
        [""; 0]
    );
}

#[test]
fn atomic_sections_are_atomic() {
    let text = "int i = 3, j = 6;
    void *f(void *q) { for (int k = 0; k < 5; k++) { B i = j + 1; E } return 0; }
    void *g(void *q) { for (int k = 0; k < 5; k++) { B j = i + 1; E } return 0; }
    int main(void) {
        pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
        B int ci = i < LIMIT; E B int cj = j < LIMIT; E
        __VERIFIER_assert(ci && cj); return 0; }";
    let text = text.replace("B ", "__VERIFIER_atomic_begin(); ");
    let text = text.replace(" E", " __VERIFIER_atomic_end();");
    assert_eq!(check(&text.replace("LIMIT", "16")), ["assert"]);
    assert_eq!(check(&text.replace("LIMIT", "18")), [""; 0]);
}

#[test]
fn a_pointer_set_by_another_thread() {
    let text = "int g; int *v;
    void *f(void *q) { v = &g; return 0; }
    void *h(void *q) { *v = 1; return 0; }
    int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, f, 0); JOIN
        pthread_create(&b, 0, h, 0); pthread_join(b, 0);
        __VERIFIER_assert(v == &g && *v == 1); return 0; }";
    assert_eq!(check(&text.replace("JOIN", "pthread_join(a, 0);")), [""; 0]);
    assert_eq!(check(&text.replace("JOIN", "")), ["deref"]);
}

#[test]
fn a_pool_of_threads_with_ids_in_an_array() {
    let text = "int done[2];
    void *w(void *q) { done[(long)q] = 1; return 0; }
    int main(void) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, w, (void *)i);
        pthread_join(t[0], 0); __VERIFIER_assert(done[WHICH]); return 0; }";
    assert_eq!(check(&text.replace("WHICH", "1")), ["assert"]);
    assert_eq!(check(&text.replace("WHICH", "0")), [""; 0]);
}
