// assert: UNSAFE
// One program from two files; both have a static variable `last`.
#include <assert.h>
#include <pthread.h>
#include <counter.h>

static int last = 5;

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(last == 5);
    assert(counter == 2 * STEP); // FAIL
    return 0;
}
