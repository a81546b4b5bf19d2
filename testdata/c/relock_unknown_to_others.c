// lock-misuse: UNSAFE
// The mutex that is taken twice is known to its thread only.
#include <pthread.h>

int turn;
pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    int mine = turn;
    pthread_mutex_lock(&own);
    if (mine == 0)
        pthread_mutex_lock(&own); // FAIL
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    turn = 1;
    pthread_join(t, 0);
    return 0;
}
