// assert: SAFE
// A timed wait ends with 0 only after a signal, else with ETIMEDOUT; it holds the mutex again.
#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int signalled;

void *waiter(void *arg) {
    struct timespec t = {0, 0};
    pthread_mutex_lock(&m);
    int r = pthread_cond_timedwait(&c, &m, &t);
    assert(r == ETIMEDOUT || (r == 0 && signalled));
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, waiter, 0);
    pthread_mutex_lock(&m);
    signalled = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
