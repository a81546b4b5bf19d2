// ltl,fair:F ended(main): SAFE
// ltl:F ended(main): UNSAFE
// Each thread spins until it is its turn, and hands over: under a fair scheduler they finish.
#include <pthread.h>

unsigned char turn;

void *even(void *arg) {
    for (int i = 0; i < 2; i++) {
        while (turn % 2 != 0)
            ;
        turn++;
    }
    return 0;
}

void *odd(void *arg) {
    for (int i = 0; i < 2; i++) {
        while (turn % 2 != 1)
            ;
        turn++;
    }
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
