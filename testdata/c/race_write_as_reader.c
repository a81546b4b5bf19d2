// race: UNSAFE
// Two threads write while they hold the lock for reading.
#include <pthread.h>

int data;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *f(void *arg) {
    pthread_rwlock_rdlock(&l);
    data = 1; // FAIL
    pthread_rwlock_unlock(&l);
    return 0;
}

static void *g(void *arg) {
    pthread_rwlock_rdlock(&l);
    data = 2; // FAIL
    pthread_rwlock_unlock(&l);
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
