// assert: UNSAFE
// Two readers can be inside at once.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int inside;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    __sync_fetch_and_add(&inside, 1);
    assert(inside == 1); // FAIL
    __sync_fetch_and_sub(&inside, 1);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}
