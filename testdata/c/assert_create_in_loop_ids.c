// assert: UNSAFE
#include <assert.h>
#include <pthread.h>
int done[2];
void *w(void *q) {
    done[(long)q] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, (void *)i);
    pthread_join(t[0], 0);
    assert(done[1]); // FAIL
    return 0;
}
