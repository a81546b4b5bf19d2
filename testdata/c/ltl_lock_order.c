// ltl:F ended(main): UNSAFE
// ltl:G (done -> G done): SAFE
// Two locks in opposite order: a deadlocked run stays as it is and never ends.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
_Bool done;

void *left(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *right(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    done = 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    return 0;
}
