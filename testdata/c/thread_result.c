// assert: SAFE
// What a thread returns, or gives to pthread_exit, comes to who joins it.
#include <assert.h>
#include <pthread.h>

void *returns(void *arg) {
    return (void *)((long)arg + 1);
}

void leave(long code) {
    pthread_exit((void *)code);
}

void *exits(void *arg) {
    leave(7);
    return (void *)8;
}

int main(void) {
    pthread_t a, b;
    void *ra, *rb;
    pthread_create(&a, 0, returns, (void *)41);
    pthread_create(&b, 0, exits, 0);
    pthread_join(b, &rb);
    pthread_join(a, &ra);
    assert((long)ra == 42);
    assert((long)rb == 7);
    return 0;
}
