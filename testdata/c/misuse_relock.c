// lock-misuse: UNSAFE
// A normal mutex taken again, if the callee is called with it.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void add(int locked) {
    if (!locked)
        pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // FAIL
    shared++;
    pthread_mutex_unlock(&m);
}

static void *f(void *arg) {
    add(1);
    return 0;
}

static void *g(void *arg) {
    add(0);
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
