// assert: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int i = 3, j = 6;
void *f(void *q) {
    for (int k = 0; k < 5; k++) {
        __VERIFIER_atomic_begin();
        i = j + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *g(void *q) {
    for (int k = 0; k < 5; k++) {
        __VERIFIER_atomic_begin();
        j = i + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    __VERIFIER_atomic_begin();
    int ci = i < 16;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int cj = j < 16;
    __VERIFIER_atomic_end();
    assert(ci && cj); // FAIL
    return 0;
}
