// assert: SAFE
// A spin lock that is waited for by an assumption inside of the atomic step, so that every run ends.
// Two threads enter twice each.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int taken;
int count;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(taken == 0);
    taken = 1;
}

void *worker(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_acquire();
        count++;
        taken = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 4);
    return 0;
}
