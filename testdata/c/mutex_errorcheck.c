// assert: SAFE
// A mutex that checks errors tells of relocks and of unlocks by others.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *other(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_join(t, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == EPERM);
    return 0;
}
