// assert: SAFE
// bounded: UNKNOWN
// A ticket lock: the ticket is taken in one atomic step. Three threads enter once each; waiting is
// an assumption, so that every run ends.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

#define THREADS 3

unsigned char next_ticket, now_serving;
int inside;

unsigned char __VERIFIER_atomic_take_ticket(void) {
    return next_ticket++;
}

void *customer(void *arg) {
    unsigned char mine = __VERIFIER_atomic_take_ticket();
    __VERIFIER_assume(now_serving == mine);
    inside = mine;
    assert(inside == mine);
    now_serving = mine + 1;
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, customer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(now_serving == THREADS);
    return 0;
}
