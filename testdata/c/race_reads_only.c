// race: SAFE
// Main writes before the threads start and after they ended; they only read.
#include <pthread.h>

int table[2];
int sums[2];

static void *f(void *arg) {
    sums[0] = table[0] + table[1];
    return 0;
}

static void *g(void *arg) {
    sums[1] = table[0] - table[1];
    return 0;
}

int main(void) {
    pthread_t a, b;
    table[0] = 2;
    table[1] = 1;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    table[0] = sums[0] + sums[1];
    return 0;
}
