// race: SAFE
// Each thread has its own element of an array.
#include <pthread.h>

int slot[2];

static void *f(void *arg) {
    for (int i = 0; i < 2; i++)
        slot[0] += i;
    return 0;
}

static void *g(void *arg) {
    for (int i = 0; i < 2; i++)
        slot[1] += i;
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
