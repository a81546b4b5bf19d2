// deadlock:local: SAFE
// The lock that the worker waits for is kept by one that has ended, in no circle; main goes on.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *keeper(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, keeper, 0);
    pthread_create(&u, 0, keeper, 0);
    for (;;) {
        beat = !beat;
    }
}
