// overflow: UNSAFE
// The least number has no negative.
#include <pthread.h>

int x = 1;

static void *f(void *arg) {
    x = -2147483647 - 1;
    return 0;
}

static void *g(void *arg) {
    int y = x;
    if (y < 0)
        y = -y; // FAIL
    return y ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
