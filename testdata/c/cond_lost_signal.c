// assert: SAFE
// A signal that nobody waits for is lost: the late waiter waits for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_signal(&c);
    pthread_cond_broadcast(&c);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    assert(0);
    return 0;
}
