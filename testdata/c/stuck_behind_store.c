// assert: UNSAFE
// main stores, and then waits for ever for a mutex that nobody else knows.
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *arg) {
    assert(x == 0); // FAIL
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    x = 1;
    pthread_mutex_lock(&own);
    pthread_mutex_lock(&own);
    return 0;
}
