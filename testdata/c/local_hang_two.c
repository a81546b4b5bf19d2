// deadlock:local: UNSAFE
// Two sleep and would wake each other, but both sleep; main beats on.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *pass(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); // FAIL
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, pass, 0);
    pthread_create(&u, 0, pass, 0);
    for (;;) {
        beat = !beat;
    }
}
