// assert: SAFE
// bounded: UNKNOWN
// C11 atomics: generic functions, operators, flags.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = ATOMIC_VAR_INIT(0);
_Atomic unsigned char small;
atomic_flag flag = ATOMIC_FLAG_INIT;
int inside;

void *worker(void *arg) {
    x++;
    atomic_fetch_add(&x, 2);
    while (atomic_flag_test_and_set(&flag)) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_flag_clear(&flag);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x += 4;
    if (!atomic_flag_test_and_set(&flag)) {
        inside++;
        assert(inside == 1);
        inside--;
        atomic_flag_clear(&flag);
    }
    pthread_join(t, 0);
    assert(atomic_load(&x) == 7);
    int e = 7;
    assert(atomic_compare_exchange_strong(&x, &e, 8));
    assert(!atomic_compare_exchange_strong(&x, &e, 9) && e == 8);
    assert(atomic_exchange(&x, 1) == 8);
    atomic_store(&x, 3);
    atomic_thread_fence(memory_order_seq_cst);
    small = 255;
    small++;
    assert(small == 0 && x == 3 && --x == 2 && x-- == 2);
    return 0;
}
