// assert: SAFE
// Lamport's bakery for two threads that enter for ever, as long as no ticket passes LARGEST.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

#define LARGEST 3

int choosing0, choosing1, number0, number1;
int inside;

void *first(void *arg) {
    for (;;) {
        choosing0 = 1;
        int n = number1 + 1;
        __VERIFIER_assume(n <= LARGEST);
        number0 = n;
        choosing0 = 0;
        __VERIFIER_assume(!choosing1);
        int their = number1;
        __VERIFIER_assume(their == 0 || !(their < n));
        inside = 0;
        assert(inside == 0);
        number0 = 0;
    }
    return 0;
}

void *second(void *arg) {
    for (;;) {
        choosing1 = 1;
        int n = number0 + 1;
        __VERIFIER_assume(n <= LARGEST);
        number1 = n;
        choosing1 = 0;
        __VERIFIER_assume(!choosing0);
        int their = number0;
        __VERIFIER_assume(their == 0 || !(their <= n));
        inside = 1;
        assert(inside == 1);
        number1 = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
