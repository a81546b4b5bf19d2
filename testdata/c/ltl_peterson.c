// ltl:G !(first@critical && second@critical): SAFE
// ltl,fair:G (wants0 -> F first@critical): SAFE
// ltl:G (wants0 -> F first@critical): UNSAFE
// Peterson's mutual exclusion for ever: who wants to enter does, if the scheduler is fair. Without
// fairness the second thread may never be asked to go on.
#include <pthread.h>

_Bool wants0, wants1, turn;

void *first(void *arg) {
    for (;;) {
        wants0 = 1;
        turn = 1;
        while (wants1 && turn == 1)
            ;
    critical:
        wants0 = 0;
    }
}

void *second(void *arg) {
    for (;;) {
        wants1 = 1;
        turn = 0;
        while (wants0 && turn == 0)
            ;
    critical:
        wants1 = 0;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
