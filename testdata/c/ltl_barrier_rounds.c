// ltl,fair:G F even: SAFE
// ltl,fair:G (even -> F odd) && G (odd -> F even): SAFE
// ltl,fair:F G even: UNSAFE
// Two threads meet at a flag that each of them turns around in its turn.
#include <pthread.h>

_Bool even, odd;

void *ping(void *arg) {
    for (;;) {
        while (odd)
            ;
        even = 1;
        while (!odd)
            ;
        even = 0;
    }
}

void *pong(void *arg) {
    for (;;) {
        while (!even)
            ;
        odd = 1;
        while (even)
            ;
        odd = 0;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ping, 0);
    pthread_create(&b, 0, pong, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
