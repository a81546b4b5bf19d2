// deadlock: UNSAFE
#include <pthread.h>
pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *q) {
    pthread_rwlock_wrlock(&a);
    pthread_rwlock_wrlock(&b); // FAIL
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return 0;
}
void *g(void *q) {
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_wrlock(&a); // FAIL
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, f, 0);
    pthread_create(&y, 0, g, 0);
    pthread_join(x, 0); // FAIL
    pthread_join(y, 0);
    return 0;
}
