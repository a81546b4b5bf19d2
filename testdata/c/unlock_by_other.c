// undefined: UNSAFE
// A thread unlocks a mutex that the other has locked.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *locks(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *unlocks(void *arg) {
    pthread_mutex_unlock(&m); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, locks, 0);
    pthread_create(&b, 0, unlocks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
