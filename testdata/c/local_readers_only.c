// deadlock:local: SAFE
// As local_circle_readers, but second only reads: readers do not wait for readers.
#include <pthread.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

void *first(void *arg) {
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return 0;
}

void *second(void *arg) {
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    for (;;) {
    }
}
