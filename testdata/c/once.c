// assert: SAFE
// The function runs once, and is over when pthread_once returns.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int n, done;

void init(void) {
    n++;
    done = 1;
}

void *worker(void *arg) {
    pthread_once(&once, init);
    assert(n == 1 && done);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_once(&once, init);
    assert(n == 1 && done);
    return 0;
}
