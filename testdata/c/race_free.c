// race: UNSAFE
// One thread frees what the other writes; free writes the whole object.
#include <pthread.h>
#include <stdlib.h>

int *p;

static void *f(void *arg) {
    *p = 1; // FAIL
    return 0;
}

static void *g(void *arg) {
    free(p); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
