// overflow: SAFE
// The number of bits is masked.
#include <pthread.h>

int bits;

static void *f(void *arg) {
    bits = 37;
    return 0;
}

static void *g(void *arg) {
    unsigned mask = 1u << (bits & 31);
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
