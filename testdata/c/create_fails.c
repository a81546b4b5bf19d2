// assert: SAFE
// options: --create-may-fail
// Where creating a thread may fail, the error code tells so and nothing was started.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int done;

static void *worker(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int code = pthread_create(&t, 0, worker, 0);
    if (code == 0) {
        pthread_join(t, 0);
        assert(done == 1);
    } else {
        assert(code == EAGAIN && done == 0);
    }
    return 0;
}
