// assert: UNSAFE
// Which thread is the serial one is open.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int first;

void *worker(void *arg) {
    int early = __sync_fetch_and_add(&first, 1) == 0;
    int r = pthread_barrier_wait(&b);
    assert(!(early && r == PTHREAD_BARRIER_SERIAL_THREAD)); // FAIL
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    return 0;
}
