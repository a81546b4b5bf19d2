// ltl:G !(first@critical && second@critical): SAFE
// ltl,fair:G (waits -> F first@critical): UNSAFE
// ltl,fair:G F (first@critical || second@critical): SAFE
// A test-and-set lock: always somebody gets in, but the other one may find it taken each time.
#include <pthread.h>
#include <stdatomic.h>

atomic_bool lock;
_Bool waits;

void *first(void *arg) {
    for (;;) {
        waits = 1;
        while (atomic_exchange(&lock, 1))
            ;
    critical:
        waits = 0;
        atomic_store(&lock, 0);
    }
}

void *second(void *arg) {
    for (;;) {
        while (atomic_exchange(&lock, 1))
            ;
    critical:
        atomic_store(&lock, 0);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
