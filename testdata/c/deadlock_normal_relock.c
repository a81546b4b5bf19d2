// deadlock: UNSAFE
#include <pthread.h>
int main(void) {
    pthread_mutex_t m;
    pthread_mutexattr_t t;
    pthread_mutexattr_init(&t);
    pthread_mutexattr_settype(&t, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &t);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // FAIL
    return 0;
}
