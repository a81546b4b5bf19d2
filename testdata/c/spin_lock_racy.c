// assert: UNSAFE
// A spin lock that tests and sets in two steps.
#include <assert.h>
#include <pthread.h>

int taken;
int inside;

void *worker(void *arg) {
    int me = (int)(long)arg;
    while (taken)
        ;
    taken = 1;
    inside = me;
    assert(inside == me); // FAIL
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
