// race: UNSAFE
#include <pthread.h>
void *f(void *q) {
    *(int *)q = 1; // FAIL
    return 0;
}
void *g(void *q) {
    *(int *)q = 2; // FAIL
    return 0;
}
int main(void) {
    pthread_t x, y;
    int d = 0;
    pthread_create(&x, 0, f, &d);
    pthread_create(&y, 0, g, &d);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
