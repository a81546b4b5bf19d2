// race: UNSAFE
// An atomic addition and a plain read.
#include <pthread.h>

int count;

static void *f(void *arg) {
    __sync_fetch_and_add(&count, 1); // FAIL
    return 0;
}

static void *g(void *arg) {
    return count ? arg : 0; // FAIL
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
