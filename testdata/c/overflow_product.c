// overflow: SAFE
// Products of short numbers fit.
#include <pthread.h>

short a, b;

static void *f(void *arg) {
    a = 32767;
    b = -32768;
    return 0;
}

static void *g(void *arg) {
    int product = a * b;
    return product ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
