// memory: UNSAFE
// The index that both threads move may leave the array.
#include <pthread.h>

int buffer[2];
int next;

static void *f(void *arg) {
    if (next < 2) {
        buffer[next] = 1; // FAIL
        next++;
    }
    return 0;
}

static void *g(void *arg) {
    if (next < 2) {
        next++;
    }
    if (next < 2) {
        next++;
    }
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
