// assert: SAFE
// gcc's atomic functions.
#include <assert.h>
#include <pthread.h>

int x;
long y = 6;

void *adds(void *arg) {
    __sync_fetch_and_add(&x, 1);
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adds, 0);
    __sync_add_and_fetch(&x, 1);
    pthread_join(t, 0);
    assert(x == 3);
    assert(__sync_bool_compare_and_swap(&x, 3, 4) && !__sync_bool_compare_and_swap(&x, 3, 5));
    assert(__sync_val_compare_and_swap(&x, 4, 6) == 4 && x == 6);
    int e = 5;
    assert(!__atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && e == 6);
    assert(__atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 7);
    assert(__atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST) == 7);
    __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 2);
    assert(__sync_lock_test_and_set(&x, 9) == 2);
    __sync_lock_release(&x);
    __sync_synchronize();
    assert(x == 0);
    assert(__atomic_and_fetch(&y, 3, __ATOMIC_SEQ_CST) == 2 && __sync_fetch_and_or(&y, 5) == 2);
    assert(__atomic_fetch_xor(&y, 1, __ATOMIC_SEQ_CST) == 7 && __atomic_nand_fetch(&y, 2, __ATOMIC_SEQ_CST) == -3);
    return 0;
}
