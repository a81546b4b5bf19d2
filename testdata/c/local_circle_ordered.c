// deadlock:local: SAFE
// Two clerks lock two accounts in the same order; a third thread counts on for ever.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *clerk(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, clerk, 0);
    pthread_create(&u, 0, clerk, 0);
    for (;;) {
        beat = !beat;
    }
}
