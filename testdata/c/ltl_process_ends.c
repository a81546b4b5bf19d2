// ltl:F G stopped: UNSAFE
// ltl,fair:F ended(main): SAFE
// ltl,fair:G F x: UNSAFE
// ltl,fair:F ended(toggles): SAFE
// The end of the process ends the other thread wherever it is.
#include <pthread.h>

_Bool x, stopped;

void *toggles(void *arg) {
    for (;;)
        x = !x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, toggles, 0);
    stopped = 1;
    return 0;
}
