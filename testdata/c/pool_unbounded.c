// assert: UNKNOWN
// because: --threads
// Threads are created for ever and never joined: no bound on their number is enough for a proof.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg) {
    assert(x == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
