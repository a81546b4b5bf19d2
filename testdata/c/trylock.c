// assert: SAFE
// Nobody unlocks, so of two threads that try the lock one gets it and the other is told that it is busy.
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int got, busy;

void *tries(void *arg) {
    int r = pthread_mutex_trylock(&m);
    if (r == 0) {
        got++;
    } else {
        assert(r == EBUSY);
        busy++;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, tries, 0);
    pthread_create(&b, 0, tries, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(got == 1 && busy == 1);
    return 0;
}
