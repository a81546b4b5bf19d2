// assert: SAFE
// A thread that is created in a loop and joined before the next is created never meets another.
#include <assert.h>
#include <pthread.h>

int count;

void *worker(void *arg) {
    count++;
    return 0;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
        assert(count == i + 1);
    }
    return 0;
}
