// memory: UNSAFE
// One thread forgets what it has allocated.
#include <pthread.h>
#include <stdlib.h>

static void *f(void *arg) {
    int *p = malloc(sizeof *p); // FAIL
    *p = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, f, 0);
    pthread_join(a, 0);
    return 0;
}
