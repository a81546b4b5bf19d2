// deadlock: UNSAFE
// Nobody gives what both take.
#include <pthread.h>
#include <semaphore.h>

sem_t s;

static void *f(void *arg) {
    sem_wait(&s); // FAIL
    return 0;
}

static void *g(void *arg) {
    sem_wait(&s);
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0); // FAIL
    pthread_join(b, 0);
    return 0;
}
