// race: SAFE
// A trylock that succeeds protects.
#include <pthread.h>

int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *f(void *arg) {
    pthread_mutex_lock(&m);
    data = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *g(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        data = 2;
        pthread_mutex_unlock(&m);
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
