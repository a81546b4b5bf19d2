// deadlock: UNSAFE
// A barrier for three, and two threads.
#include <pthread.h>

pthread_barrier_t b;

static void *f(void *arg) {
    pthread_barrier_wait(&b); // FAIL
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&a, 0, f, 0);
    pthread_barrier_wait(&b); // FAIL
    pthread_join(a, 0);
    return 0;
}
