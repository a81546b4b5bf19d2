// memory: SAFE
// Main frees after it has joined.
#include <pthread.h>
#include <stdlib.h>

int *p;

static void *f(void *arg) {
    *p = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, f, 0);
    pthread_join(a, 0);
    free(p);
    return 0;
}
