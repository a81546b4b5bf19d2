// memory: UNSAFE
// The other thread may free first.
#include <pthread.h>
#include <stdlib.h>

int *p;

static void *f(void *arg) {
    *p = 1; // FAIL
    return 0;
}

int main(void) {
    pthread_t a;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, f, 0);
    free(p);
    pthread_join(a, 0);
    return 0;
}
