// assert: SAFE
// Data first, then the flag: who sees the flag sees the data.
#include <assert.h>
#include <pthread.h>

int data;
_Bool ready;

void *sender(void *arg) {
    data = 42;
    ready = 1;
    return 0;
}

void *receiver(void *arg) {
    if (ready)
        assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
