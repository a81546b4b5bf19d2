// assert: SAFE
// Each thread has its own thread-local variables, with their initial values.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 5;
static __thread int hits[2];

void *work(void *arg) {
    static _Thread_local int calls;
    assert(mine == 5 && hits[1] == 0 && calls == 0);
    mine += (int)(long)arg;
    hits[1]++;
    calls++;
    assert(mine == 5 + (int)(long)arg);
    assert(hits[1] == 1 && calls == 1);
    return 0;
}

int main(void) {
    pthread_t t[2];
    mine = 1;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, work, (void *)(long)i);
    }
    assert(mine == 1);
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], 0);
    }
    assert(mine == 1 && hits[1] == 0);
    return 0;
}
