// assert: UNSAFE
// Two bit-fields of one storage unit are one memory location: a store to one may undo a store to the other.
#include <assert.h>
#include <pthread.h>

struct {
    unsigned a : 4, b : 4;
} s;

void *sets(void *arg) {
    s.b = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    s.a = 1;
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 1); // FAIL
    return 0;
}
