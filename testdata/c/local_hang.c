// deadlock:local: UNSAFE
// The signal may come before the wait; then nobody is left to give another.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *sleeper(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sleeper, 0);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    for (;;) {
        beat = !beat;
    }
}
