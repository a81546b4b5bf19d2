// assert: SAFE
// A timed lock gives up only while another thread has the mutex.
#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg) {
    struct timespec t = {1, 0};
    int r = pthread_mutex_timedlock(&m, &t);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) {
        assert(x == 0);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
