// assert: SAFE
// A spin lock by test and set, with its waiting loop.
#include <assert.h>
#include <pthread.h>

int taken;
int inside;

int __VERIFIER_atomic_test_and_set(void) {
    int before = taken;
    taken = 1;
    return before;
}

void *worker(void *arg) {
    int me = (int)(long)arg;
    while (__VERIFIER_atomic_test_and_set())
        ;
    inside = me;
    assert(inside == me);
    taken = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)1);
    pthread_create(&b, 0, worker, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
