// assert: SAFE
// A recursive mutex is free when it has been unlocked as often as it was locked.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_mutex_t m;
int x;

void *other(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        assert(x != 1);
        assert(pthread_mutex_unlock(&m) == 0);
        assert(pthread_mutex_unlock(&m) == EPERM);
    }
    return 0;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
