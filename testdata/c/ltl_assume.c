// ltl:F x == 2: SAFE
// ltl:F x == 1: UNSAFE
// Runs in which the assumption is false are left out.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

unsigned char x;

void *sets(void *arg) {
    unsigned char v = __VERIFIER_nondet_int() & 3;
    __VERIFIER_assume(v == 2);
    x = v;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    pthread_join(t, 0);
    return 0;
}
