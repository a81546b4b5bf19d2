// deadlock: UNSAFE
// The signal may come before the wait.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *f(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, f, 0);
    pthread_cond_signal(&c);
    pthread_join(a, 0); // FAIL
    return 0;
}
