// assert: SAFE
// What was set in attributes can be read back.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t kinds;
    pthread_attr_t attributes;
    int kind, state;
    pthread_mutexattr_init(&kinds);
    pthread_mutexattr_gettype(&kinds, &kind);
    assert(kind == PTHREAD_MUTEX_DEFAULT);
    pthread_mutexattr_settype(&kinds, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&kinds, &kind);
    assert(kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_attr_init(&attributes);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    return 0;
}
