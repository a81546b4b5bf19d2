// overflow: UNSAFE
// A shift by as many bits as another thread says.
#include <pthread.h>

int bits;

static void *f(void *arg) {
    bits = 32;
    return 0;
}

static void *g(void *arg) {
    unsigned mask = 1u << bits; // FAIL
    return mask ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
