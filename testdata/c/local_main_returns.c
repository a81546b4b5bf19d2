// deadlock:local: UNSAFE
// Two clerks lock two accounts in opposite orders while main is about to return.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *there(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // FAIL
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // FAIL
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, there, 0);
    pthread_create(&u, 0, back, 0);
    return 0;
}
