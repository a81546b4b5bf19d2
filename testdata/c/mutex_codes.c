// assert: SAFE
// What mutexes return: EBUSY, EDEADLK, EPERM, EINVAL, by kind and by who owns them.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, checked, recursive;

static void *other(void *arg)
{
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    return arg;
}

static void make(pthread_mutex_t *m, int kind)
{
    pthread_mutexattr_t attributes;
    assert(pthread_mutexattr_init(&attributes) == 0);
    assert(pthread_mutexattr_settype(&attributes, kind) == 0);
    assert(pthread_mutex_init(m, &attributes) == 0);
    assert(pthread_mutexattr_destroy(&attributes) == 0);
}

int main(void)
{
    make(&checked, PTHREAD_MUTEX_ERRORCHECK);
    make(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_lock(&normal);
    pthread_mutex_lock(&checked);
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&normal) == EBUSY);

    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);

    assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&checked) == 0 && pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_unlock(&normal) == 0);
    return 0;
}
