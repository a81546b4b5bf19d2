// assert: UNSAFE
// mtx_trylock says thrd_busy, mtx_timedlock thrd_timedout, and each may also get the mutex.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;

int tries(void *arg) {
    struct timespec soon = {0, 1000};
    int a = mtx_trylock(&m);
    assert(a == thrd_success || a == thrd_busy);
    if (a == thrd_success) {
        mtx_unlock(&m);
    }
    int b = mtx_timedlock(&m, &soon);
    assert(b == thrd_success || b == thrd_timedout);
    if (b == thrd_success) {
        mtx_unlock(&m);
    }
    assert(a == thrd_success || b == thrd_success); // FAIL
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_timed);
    thrd_create(&t, tries, 0);
    mtx_lock(&m);
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
