// undefined: UNSAFE
// The divisor is zero for a moment.
#include <assert.h>
#include <pthread.h>

int divisor = 4;

void *changes(void *arg) {
    divisor = 0;
    divisor = 2;
    return 0;
}

void *divides(void *arg) {
    int share = 8 / divisor; // FAIL
    (void)share;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, changes, 0);
    pthread_create(&b, 0, divides, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
