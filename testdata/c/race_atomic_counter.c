// race: SAFE
// Atomic operations do not race with each other.
#include <pthread.h>

_Atomic int count;

static void *f(void *arg) {
    count++;
    return 0;
}

static void *g(void *arg) {
    count += 2;
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
