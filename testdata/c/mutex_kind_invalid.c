// assert: SAFE
// There is no such kind of mutex: EINVAL, and the attributes stay.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    int kind;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_settype(&a, 77) == EINVAL);
    assert(pthread_mutexattr_settype(&a, -1) == EINVAL);
    pthread_mutexattr_gettype(&a, &kind);
    assert(kind == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0);
    pthread_mutex_init(&m, &a);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 0);
    return 0;
}
