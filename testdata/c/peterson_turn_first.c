// assert: UNSAFE
// Peterson's mutual exclusion with its first two statements exchanged: the turn is given away
// before the flag is up, and both threads may enter.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int wants0, wants1, turn;
int inside;

void *first(void *arg) {
    turn = 1;
    wants0 = 1;
    __VERIFIER_assume(!(wants1 && turn == 1));
    inside = 0;
    assert(inside == 0); // FAIL
    wants0 = 0;
    return 0;
}

void *second(void *arg) {
    turn = 0;
    wants1 = 1;
    __VERIFIER_assume(!(wants0 && turn == 0));
    inside = 1;
    assert(inside == 1); // FAIL
    wants1 = 0;
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
