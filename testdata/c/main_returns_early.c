// assert: UNSAFE
// main returns without waiting, which ends the process; but the thread may have run before.
#include <assert.h>
#include <pthread.h>

void *doomed(void *arg) {
    assert(0); // FAIL
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, doomed, 0);
    return 0;
}
