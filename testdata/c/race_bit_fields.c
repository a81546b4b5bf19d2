// race: UNSAFE
// Bit-fields of one storage unit are written together.
#include <pthread.h>

struct flags {
    unsigned first : 4;
    unsigned second : 4;
} flags;

static void *f(void *arg) {
    flags.first = 1; // FAIL
    return 0;
}

static void *g(void *arg) {
    flags.second = 2; // FAIL
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
