// assert: SAFE
// Two threads meet at a barrier that they poll.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int arrived;
_Bool work[2];

void *worker(void *arg) {
    int me = (int)(long)arg;
    work[me] = 1;
    pthread_mutex_lock(&m);
    arrived++;
    pthread_mutex_unlock(&m);
    for (;;) {
        pthread_mutex_lock(&m);
        int n = arrived;
        pthread_mutex_unlock(&m);
        if (n == 2)
            break;
    }
    assert(work[1 - me]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
