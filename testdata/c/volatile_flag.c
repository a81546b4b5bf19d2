// assert: UNSAFE
// Two reads of a volatile object are two reads.
#include <assert.h>
#include <pthread.h>

volatile int v;

void *writer(void *arg) {
    v = 1;
    return 0;
}

void *reader(void *arg) {
    assert(v == v); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
