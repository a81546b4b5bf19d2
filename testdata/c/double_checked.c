// assert: SAFE
// Initialisation once, checked without the lock and again under it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool initialised;
int value, times;

void *user(void *arg) {
    if (!initialised) {
        pthread_mutex_lock(&m);
        if (!initialised) {
            value = 7;
            times++;
            initialised = 1;
        }
        pthread_mutex_unlock(&m);
    }
    assert(value == 7);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(times == 1);
    return 0;
}
