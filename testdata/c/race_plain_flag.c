// race: UNSAFE
// The flag that hands over is itself no atomic.
#include <pthread.h>

int data;
int ready;

static void *f(void *arg) {
    data = 1;
    ready = 1; // FAIL
    return 0;
}

static void *g(void *arg) {
    if (ready) // FAIL
        data = 2;
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
