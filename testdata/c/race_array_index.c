// race: UNSAFE
// Both threads may choose the same element.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
int slot[2];

static void *f(void *arg) {
    unsigned i = __VERIFIER_nondet_uint() % 2;
    slot[i] = 1; // FAIL
    return 0;
}

static void *g(void *arg) {
    slot[1] = 2; // FAIL
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
