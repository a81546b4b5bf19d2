// assert: SAFE
// Who joins itself is told so instead of waiting for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t own;
int told;

void *work(void *arg) {
    void *result = &told;
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_mutex_t *m = arg;
    pthread_mutex_lock(m);
    assert(pthread_join(own, &result) == EDEADLK);
    assert(result == &told);
    told = 1;
    return 0;
}

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_create(&own, 0, work, &m);
    pthread_mutex_unlock(&m);
    assert(pthread_join(own, 0) == 0);
    assert(told == 1);
    return 0;
}
