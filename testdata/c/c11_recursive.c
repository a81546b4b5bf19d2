// assert: SAFE
// A recursive mutex of <threads.h> is free when it has been unlocked as often as it was locked.
#include <assert.h>
#include <threads.h>

mtx_t m, plain;
int x;

int other(void *arg) {
    if (mtx_trylock(&m) == thrd_success) {
        assert(x != 1);
        mtx_unlock(&m);
    }
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain | mtx_recursive);
    mtx_init(&plain, mtx_plain);
    thrd_create(&t, other, 0);
    mtx_lock(&plain);
    assert(mtx_trylock(&plain) == thrd_busy);
    mtx_unlock(&plain);
    mtx_lock(&m);
    assert(mtx_trylock(&m) == thrd_success);
    x = 1;
    mtx_unlock(&m);
    x = 2;
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
