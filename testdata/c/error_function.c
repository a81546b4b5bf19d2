// assert: UNSAFE
// The error function of software verification competitions, and their way to write an assertion.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assert(int);

int data, ready;

void *sender(void *arg) {
    ready = 1;
    data = 42;
    return 0;
}

void *receiver(void *arg) {
    if (ready) {
        int got = data;
        __VERIFIER_assert(got == 0 || got == 42);
        if (got != 42)
            reach_error(); // FAIL
    }
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
