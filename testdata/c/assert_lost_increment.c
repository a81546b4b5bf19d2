// assert: UNSAFE
#include <assert.h>
#include <pthread.h>
int x = 0;
void *w(void *q) {
    for (int i = 0; i < 2; i++)
        x++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, w, 0);
    pthread_create(&b, 0, w, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 4); // FAIL
    return 0;
}
