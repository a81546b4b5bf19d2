// assert: SAFE
// A thread is started through a pointer.
#include <assert.h>
#include <pthread.h>

int x;
void *sets(void *arg) {
    x = (int)(long)arg;
    return (void *)7L;
}
void *other(void *arg) {
    x = 100;
    return 0;
}

int main(void) {
    void *(*start[2])(void *) = {other, sets};
    pthread_t t;
    void *result;
    pthread_create(&t, 0, start[1], (void *)5L);
    pthread_join(t, &result);
    assert(x == 5 && (long)result == 7);
    return 0;
}
