// deadlock:local: SAFE
// The lock is given back before the join.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done;
void *helper(void *arg) {
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
void *leader(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, helper, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
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
