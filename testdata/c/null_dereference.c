// undefined: UNSAFE
// The pointer is set by another thread, perhaps too late.
#include <assert.h>
#include <pthread.h>

int target;
int *p;

void *sets(void *arg) {
    p = &target;
    return 0;
}

void *uses(void *arg) {
    *p = 1; // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sets, 0);
    pthread_create(&b, 0, uses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
