// assert: SAFE
// pthread_self and pthread_equal; main knows its own name too.
#include <assert.h>
#include <pthread.h>

pthread_t boss;

void *worker(void *arg) {
    assert(!pthread_equal(pthread_self(), boss));
    return 0;
}

int main(void) {
    pthread_t a, b;
    boss = pthread_self();
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    assert(!pthread_equal(a, b));
    assert(pthread_equal(boss, pthread_self()));
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
