// memory: UNSAFE
// main may end before the worker comes to its assumption, which would discard the run.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

atomic_int ready;

void *worker(void *arg) {
    ready = 1;
    __VERIFIER_assume(0);
    return 0;
}

int main(void) {
    char *p = malloc(4); // FAIL
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (ready != 1) {
    }
    p[0] = 1;
    return 0;
}
