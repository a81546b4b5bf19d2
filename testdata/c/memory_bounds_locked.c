// memory: SAFE
// The same with a lock.
#include <pthread.h>

int buffer[2];
int next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(void) {
    pthread_mutex_lock(&m);
    if (next < 2) {
        buffer[next] = 1;
        next++;
    }
    pthread_mutex_unlock(&m);
}

static void *f(void *arg) {
    put();
    return 0;
}

static void *g(void *arg) {
    put();
    put();
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
