// assert: UNKNOWN
// undefined: UNSAFE
// An access to an object that another thread may have freed is undefined.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p;

void *frees(void *arg) {
    free(p);
    return 0;
}

int main(void) {
    pthread_t t;
    p = malloc(sizeof(int));
    *p = 1;
    pthread_create(&t, 0, frees, 0);
    assert(*p == 1); // FAIL
    pthread_join(t, 0);
    return 0;
}
