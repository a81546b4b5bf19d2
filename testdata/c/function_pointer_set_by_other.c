// assert: UNSAFE
// Which function is called depends on another thread.
#include <assert.h>
#include <pthread.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
int (*f)(void) = one;

void *sets(void *arg) {
    f = two;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    assert(f() == 1); // FAIL
    return 0;
}
