// race: UNSAFE
// A value that nobody wants is read all the same.
#include <pthread.h>

struct pair {
    int first, second;
};

int level;
struct pair both;
int alone;

static void *worker(void *arg) {
    int *mine = arg;
    level; // FAIL
    (void)both; // FAIL
    (void)mine;
    (void)&alone;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &alone);
    level = 1; // FAIL
    both.second = 2; // FAIL
    alone = 3;
    pthread_join(t, 0);
    return 0;
}
