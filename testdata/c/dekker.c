// assert: SAFE
// Dekker's mutual exclusion for two threads.
#include <assert.h>
#include <pthread.h>

int wants0, wants1, turn;
int inside;

void *first(void *arg) {
    wants0 = 1;
    while (wants1) {
        if (turn != 0) {
            wants0 = 0;
            while (turn != 0)
                ;
            wants0 = 1;
        }
    }
    inside = 0;
    assert(inside == 0);
    turn = 1;
    wants0 = 0;
    return 0;
}

void *second(void *arg) {
    wants1 = 1;
    while (wants0) {
        if (turn != 1) {
            wants1 = 0;
            while (turn != 1)
                ;
            wants1 = 1;
        }
    }
    inside = 1;
    assert(inside == 1);
    turn = 0;
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
