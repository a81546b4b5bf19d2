// assert: UNSAFE
// A weak compare-and-exchange may fail for no reason.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

int main(void) {
    int e = 0;
    assert(atomic_compare_exchange_weak(&x, &e, 1)); // FAIL
    return 0;
}
