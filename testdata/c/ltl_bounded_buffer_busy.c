// ltl:G (count == 2 -> F count < 2): UNSAFE
// A buffer of two places between a producer and a consumer: a full one may stay full where another
// thread has always something to do.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
unsigned char count;

void *producer(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (count == 2)
            pthread_cond_wait(&not_full, &m);
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&not_empty, &m);
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
}

void *other(void *arg) {
    for (;;)
        ;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&c, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
