// undefined: UNSAFE
// The index is checked, and has changed when it is used.
#include <assert.h>
#include <pthread.h>

int a[4];
unsigned i;

void *advance(void *arg) {
    i = i + 2;
    return 0;
}

void *use(void *arg) {
    if (i < 4)
        a[i] = 1; // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    i = 3;
    pthread_create(&a, 0, advance, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
