// deadlock: UNSAFE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *w(void *q) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m); /* no signal */
    pthread_join(a, 0); // FAIL
    return 0;
}
