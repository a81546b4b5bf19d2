// assert: UNSAFE
// options: --inline-limit 0
#include <assert.h>
#include <pthread.h>

// Both calls of `add` in a thread are one body; the trace goes through it twice.
static int total;

static int add(int n) {
    int before = total;
    total = before + n;
    return before;
}

static void *adder(void *arg) {
    int first = add(1), second = add(2);
    assert(second == first + 1); // FAIL
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, adder, 0);
    pthread_create(&u, 0, adder, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
