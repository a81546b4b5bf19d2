// assert: UNSAFE
// A thread stores and then assumes false: it goes no further, but its store has happened.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *stores(void *arg) {
    x = 1;
    __VERIFIER_assume(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stores, 0);
    assert(x == 0); // FAIL
    return 0;
}
