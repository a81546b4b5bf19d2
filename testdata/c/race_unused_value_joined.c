// race: SAFE
// As race_unused_value.c, but main waits for the thread before it reads.
#include <pthread.h>

int level, count;

static int current(void) {
    return count;
}

static void *worker(void *arg) {
    level = 1;
    count = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    current();
    return level;
}
