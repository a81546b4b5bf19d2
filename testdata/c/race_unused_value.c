// race: UNSAFE
// Nobody wants the value that main reads last, and the result of the call; both are read all the same.
#include <pthread.h>

int level, count;

static int current(void) {
    return count; // FAIL
}

static void *worker(void *arg) {
    level = 1; // FAIL
    count = 2; // FAIL
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    current();
    return level; // FAIL
}
