// assert: SAFE
// Nobody passes a barrier before all have arrived; one thread is told that it is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int a[2], serial;

void *worker(void *arg) {
    long i = (long)arg;
    a[i] = 1;
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) {
        serial++;
    }
    assert(a[1 - i] == 1);
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, worker, (void *)0);
    pthread_create(&t, 0, worker, (void *)1);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(serial == 1);
    return 0;
}
