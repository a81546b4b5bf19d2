// deadlock:local: UNSAFE
// One thread joins another and has the lock that the other one needs.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done;
void *helper(void *arg) {
    pthread_mutex_lock(&m); // FAIL
    done = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
void *leader(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, helper, 0);
    pthread_mutex_lock(&m);
    if (!done) {
        pthread_join(t, 0); // FAIL
    }
    pthread_mutex_unlock(&m);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, leader, 0);
    for (;;) {
        beat = !beat;
    }
}
