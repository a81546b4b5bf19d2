// assert: UNKNOWN
// undefined: UNSAFE
// A detached thread cannot be joined.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg) {
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_join(t, 0); // FAIL
    assert(1);
    return 0;
}
