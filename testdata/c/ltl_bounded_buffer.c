// ltl:G (full -> F !full): SAFE
// ltl:G (!full -> F full): SAFE
// ltl:F G full: UNSAFE
// A buffer of one place between a producer and a consumer: a full one does not stay full, since then
// only the consumer can move, and an empty one does not stay empty.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
_Bool full;

void *producer(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&not_full, &m);
        full = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&not_empty, &m);
        full = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
