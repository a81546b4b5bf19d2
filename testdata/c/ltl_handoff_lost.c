// ltl,fair:F ended(main): UNSAFE
// The hand-over is a plain increment by both sides: one can be lost, and then both wait.
#include <pthread.h>

unsigned char turn;
_Bool ready;

void *even(void *arg) {
    while (turn % 2 != 0)
        ;
    turn++;
    while (!ready)
        ;
    return 0;
}

void *odd(void *arg) {
    unsigned char seen = turn;
    turn = seen + 2;
    while (turn % 2 != 1)
        ;
    ready = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, odd, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
