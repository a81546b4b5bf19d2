// assert: UNSAFE
// main ends with pthread_exit, which lets the other thread go on.
#include <assert.h>
#include <pthread.h>

int closed;

void *late(void *arg) {
    assert(!closed); // FAIL
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, late, 0);
    closed = 1;
    pthread_exit(0);
}
