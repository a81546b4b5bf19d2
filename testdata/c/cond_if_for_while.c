// assert: UNSAFE
// An `if` around the wait does not notice that another consumer was faster.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;

void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    if (items == 0) {
        pthread_cond_wait(&c, &m);
    }
    items--;
    assert(items >= 0); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
