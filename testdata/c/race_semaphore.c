// race: SAFE
// A semaphore hands over.
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t s;

static void *f(void *arg) {
    data = 1;
    sem_post(&s);
    return 0;
}

static void *g(void *arg) {
    sem_wait(&s);
    data = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
