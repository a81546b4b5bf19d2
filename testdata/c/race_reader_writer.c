// race: SAFE
// Readers share the lock, the writer does not.
#include <pthread.h>

int data;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *f(void *arg) {
    pthread_rwlock_wrlock(&l);
    data = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}

static void *g(void *arg) {
    pthread_rwlock_rdlock(&l);
    int seen = data;
    pthread_rwlock_unlock(&l);
    return seen ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
