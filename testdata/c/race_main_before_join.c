// race: UNSAFE
// Main reads the result before it has joined the thread.
#include <pthread.h>

int result;

static void *f(void *arg) {
    result = 1; // FAIL
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, f, 0);
    int early = result; // FAIL
    pthread_join(a, 0);
    return early + result;
}
