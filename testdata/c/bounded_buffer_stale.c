// assert: UNSAFE
// A buffer of two places, two producers: each looks for room outside of the mutex and trusts it inside.
#include <assert.h>
#include <pthread.h>

#define PLACES 2

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char count = 1;

void *producer(void *arg) {
    if (count < PLACES) {
        pthread_mutex_lock(&m);
        count++;
        assert(count <= PLACES); // FAIL
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
