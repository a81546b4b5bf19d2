// assert: UNSAFE
// A pointer to a thread-local variable lets another thread change it.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine;
int *shared;

void *work(void *arg) {
    *shared = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    shared = &mine;
    mine = 1;
    pthread_create(&t, 0, work, 0);
    assert(mine == 1); // FAIL
    pthread_join(t, 0);
    return 0;
}
