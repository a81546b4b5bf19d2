// assert: SAFE
// Who joins a thread that an assumption stopped waits for ever.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *stops(void *arg) {
    x = 1;
    __VERIFIER_assume(x == 2);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stops, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
