// assert: SAFE
// clang's <stdatomic.h> calls these functions, which take values where gcc's take pointers.
#include <assert.h>

_Atomic int number;

int main(void) {
    __c11_atomic_init(&number, 2);
    __c11_atomic_store(&number, 3, __ATOMIC_SEQ_CST);
    assert(__c11_atomic_load(&number, __ATOMIC_SEQ_CST) == 3);
    assert(__c11_atomic_exchange(&number, 4, __ATOMIC_SEQ_CST) == 3);
    assert(__c11_atomic_fetch_add(&number, 1, __ATOMIC_SEQ_CST) == 4);
    int expected = 4;
    assert(!__c11_atomic_compare_exchange_strong(&number, &expected, 9, __ATOMIC_SEQ_CST,
                                                 __ATOMIC_SEQ_CST));
    assert(expected == 5);
    while (!__c11_atomic_compare_exchange_weak(&number, &expected, 9, __ATOMIC_SEQ_CST,
                                               __ATOMIC_SEQ_CST)) {
    }
    assert(number == 9);
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
