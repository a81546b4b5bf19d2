// assert: UNSAFE
// A ticket lock whose ticket is read and advanced in two steps: two threads may draw the same one.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

unsigned char next_ticket, now_serving;
int inside;

void *customer(void *arg) {
    int me = (int)(long)arg;
    unsigned char mine = next_ticket++;
    __VERIFIER_assume(now_serving == mine);
    inside = me;
    assert(inside == me); // FAIL
    now_serving = mine + 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, (void *)1);
    pthread_create(&b, 0, customer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
