// assert: UNSAFE
#include <assert.h>
#include <pthread.h>
int g;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *q) {
    pthread_mutex_lock(&m);
    g = 1;
    pthread_cond_wait(&c, &m);
    assert(g == 1); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}
void *h(void *q) {
    pthread_mutex_lock(&m);
    g = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, h, 0);
    pthread_join(b, 0);
    return 0;
}
