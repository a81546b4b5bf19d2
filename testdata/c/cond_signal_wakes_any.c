// assert: UNSAFE
// Either of two waiters may be the one that a signal wakes.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int first;

void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    int me = first == 0 ? 1 : 2;
    first = 1;
    pthread_cond_wait(&c, &m);
    assert(me == 1); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
