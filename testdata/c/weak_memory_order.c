// assert: SAFE
// because: (under sequential consistency)
// Message passing by release and acquire; weaker orders are taken for sequential consistency.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *sends(void *arg) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sends, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire)) {
        assert(data == 1);
    }
    return 0;
}
