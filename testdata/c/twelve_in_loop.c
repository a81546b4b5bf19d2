// assert: SAFE
// race: SAFE
// deadlock: SAFE
// Twelve threads, created and joined in loops, that count under a lock.
#include <assert.h>
#include <pthread.h>

int count, seen[12];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    int i = (int)(long)arg;
    pthread_mutex_lock(&lock);
    seen[i] = ++count;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[12];
    int i;
    for (i = 0; i < 12; i++)
        pthread_create(&t[i], 0, worker, (void *)(long)i);
    for (i = 0; i < 12; i++) {
        if (i == 6)
            continue;
        pthread_join(t[i], 0);
    }
    assert(i == 12);
    pthread_join(t[6], 0);
    assert(count == 12);
    return 0;
}
