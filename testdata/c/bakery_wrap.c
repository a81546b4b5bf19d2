// assert: UNSAFE
// Lamport's bakery with tickets of three bits: while the threads keep overlapping, tickets grow,
// and the one after 7 is 0, which means "not waiting".
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int choosing0, choosing1, number0, number1;
int inside;

void *first(void *arg) {
    for (;;) {
        choosing0 = 1;
        int n = (number1 + 1) & 7;
        number0 = n;
        choosing0 = 0;
        __VERIFIER_assume(!choosing1);
        int their = number1;
        __VERIFIER_assume(their == 0 || !(their < n));
        inside = 0;
        assert(inside == 0); // FAIL
        number0 = 0;
    }
    return 0;
}

void *second(void *arg) {
    for (;;) {
        choosing1 = 1;
        int n = (number0 + 1) & 7;
        number1 = n;
        choosing1 = 0;
        __VERIFIER_assume(!choosing0);
        int their = number0;
        __VERIFIER_assume(their == 0 || !(their <= n));
        inside = 1;
        assert(inside == 1); // FAIL
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
