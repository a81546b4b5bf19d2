// ltl,fair:G (full -> F !full): SAFE
// ltl:G (full -> F !full): UNSAFE
// A buffer of one place between a producer and a consumer, with semaphores: what was produced is
// consumed, if the consumer gets to move.
#include <pthread.h>
#include <semaphore.h>

sem_t places, items;
_Bool full;

void *producer(void *arg) {
    for (;;) {
        sem_wait(&places);
        full = 1;
        sem_post(&items);
    }
}

void *consumer(void *arg) {
    for (;;) {
        sem_wait(&items);
        full = 0;
        sem_post(&places);
    }
}

void *other(void *arg) {
    for (;;)
        ;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&places, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&c, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
