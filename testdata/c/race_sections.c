// race: SAFE
// Two atomic sections, and a branch of one that is never taken.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, never;

static void *f(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    if (never)
        y = 1;
    __VERIFIER_atomic_end();
    return 0;
}

static void *g(void *arg) {
    y = 2;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
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
