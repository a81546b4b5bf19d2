// assert: UNKNOWN
// undefined: UNSAFE
// A destroyed mutex is no mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m); // FAIL
    assert(1);
    return 0;
}
