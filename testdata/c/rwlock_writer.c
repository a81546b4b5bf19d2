// assert: SAFE
// Who writes is alone.
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    x = 0;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    assert(x == 0);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    return 0;
}
