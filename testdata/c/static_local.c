// assert: UNSAFE
// A static local variable is one object for all threads.
#include <assert.h>
#include <pthread.h>

int next_id(void) {
    static int last = 10;
    last++;
    return last;
}

int ids[2];

void *first(void *arg) {
    ids[0] = next_id();
    return 0;
}

void *second(void *arg) {
    ids[1] = next_id();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ids[0] != ids[1]); // FAIL
    return 0;
}
