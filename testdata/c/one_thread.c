// assert: SAFE
// race: SAFE
// deadlock: SAFE
// Main alone, with a loop and a lock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
int main(void) {
    for (int i = 1; i <= 4; i++) {
        pthread_mutex_lock(&m);
        sum += i;
        pthread_mutex_unlock(&m);
    }
    assert(sum == 10);
    return 0;
}
