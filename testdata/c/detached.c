// assert: SAFE
// A detached thread runs like others.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    int seen = x;
    assert(seen == 0 || seen == 1);
    return 0;
}
