// race: SAFE
// because: (assuming defined behaviour)
// options: --assume-defined
// Twelve threads besides main count, all under the lock.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;
void *locked(void *arg) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11;
    pthread_create(&t0, 0, locked, 0);
    pthread_create(&t1, 0, locked, 0);
    pthread_create(&t2, 0, locked, 0);
    pthread_create(&t3, 0, locked, 0);
    pthread_create(&t4, 0, locked, 0);
    pthread_create(&t5, 0, locked, 0);
    pthread_create(&t6, 0, locked, 0);
    pthread_create(&t7, 0, locked, 0);
    pthread_create(&t8, 0, locked, 0);
    pthread_create(&t9, 0, locked, 0);
    pthread_create(&t10, 0, locked, 0);
    pthread_create(&t11, 0, locked, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    pthread_join(t5, 0);
    pthread_join(t6, 0);
    pthread_join(t7, 0);
    pthread_join(t8, 0);
    pthread_join(t9, 0);
    pthread_join(t10, 0);
    pthread_join(t11, 0);
    return 0;
}
