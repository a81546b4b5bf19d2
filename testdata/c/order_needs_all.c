// assert: UNSAFE
// Three numbers are chosen that must be below zero, at zero and above it: few values stand for all
// numbers that are only compared, but some of them have to be negative.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int below, above, zero;

void *chooser(void *unused) {
    below = __VERIFIER_nondet_int();
    return unused;
}

int main(void) {
    pthread_t t;
    int middle = __VERIFIER_nondet_int();
    pthread_create(&t, 0, chooser, 0);
    above = __VERIFIER_nondet_int();
    pthread_join(t, 0);
    assert(!(below < middle && middle < zero && zero < above)); // FAIL
    return 0;
}
