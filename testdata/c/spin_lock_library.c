// assert: SAFE
// A spin lock of the library keeps increments whole.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *adds(void *arg) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
