// race: UNSAFE
// Two threads count without a lock.
#include <pthread.h>

int count;

static void *f(void *arg) {
    count++; // FAIL
    return 0;
}

static void *g(void *arg) {
    count++; // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
