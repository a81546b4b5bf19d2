// assert: SAFE
// Threads, mutexes and their return codes of <threads.h>.
#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int add(void *arg) {
    assert(mtx_lock(&m) == thrd_success);
    int seen = x;
    x = seen + *(int *)arg;
    assert(mtx_unlock(&m) == thrd_success);
    return -1;
}

int leave(void *arg) {
    thrd_exit(7);
}

int main(void) {
    thrd_t a, b, c;
    int two = 2, three = 3, result;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(thrd_create(&a, add, &two) == thrd_success);
    assert(thrd_create(&b, add, &three) == thrd_success);
    assert(thrd_create(&c, leave, 0) == thrd_success);
    assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
    assert(thrd_join(a, &result) == thrd_success && result == -1);
    assert(thrd_join(b, 0) == thrd_success);
    assert(thrd_join(c, &result) == thrd_success && result == 7);
    assert(x == 5);
    mtx_destroy(&m);
    return 0;
}
