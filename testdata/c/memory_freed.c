// memory: SAFE
// What one thread allocates the other frees.
#include <pthread.h>
#include <stdlib.h>

static void *f(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}

int main(void) {
    pthread_t a;
    void *p;
    pthread_create(&a, 0, f, 0);
    pthread_join(a, &p);
    free(p);
    return 0;
}
