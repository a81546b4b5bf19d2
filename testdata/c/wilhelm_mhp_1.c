// assert: SAFE
// MHP-1 of Wilhelm's thesis, with an assertion: x is 0 + 0 or 1 + 1 or was overwritten by 1.
// The join is what lets main look at x without the lock: no other thread can be at any of its
// statements any more.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
int x;

pthread_t t2;

void *thread2(void *arg) {
    pthread_mutex_lock(&mx);
    x = x + x;
    pthread_mutex_unlock(&mx);
    return 0;
}

int main(void) {
    pthread_create(&t2, 0, thread2, 0);
    pthread_mutex_lock(&mx);
    x = 1;
    pthread_mutex_unlock(&mx);
    pthread_join(t2, 0);
    assert(x == 1 || x == 2);
    return 0;
}
