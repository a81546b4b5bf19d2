// assert: UNKNOWN
// undefined: UNSAFE
// A mutex of automatic storage is no mutex before pthread_mutex_init.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_lock(&m); // FAIL
    assert(1);
    pthread_mutex_unlock(&m);
    return 0;
}
