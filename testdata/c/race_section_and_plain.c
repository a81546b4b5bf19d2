// race: UNSAFE
// An atomic section does not keep a plain access out.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int x, y;

static void *f(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    if (__VERIFIER_nondet_int())
        y = 1; // FAIL
    __VERIFIER_atomic_end();
    return 0;
}

static void *g(void *arg) {
    y = 2; // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
