// deadlock: SAFE
// Without --local-deadlocks nobody asks for the two that wait for each other.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *there(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return 0;
}
void *back(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, there, 0);
    pthread_create(&u, 0, back, 0);
    for (;;) {
        beat = !beat;
    }
}
