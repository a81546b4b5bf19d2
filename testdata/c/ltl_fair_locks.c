// ltl,fair-locks:G (waits -> F !waits): SAFE
// ltl,fair:G (waits -> F !waits): UNSAFE
// ltl,fair:G (waits -> F (owner(m) == 0 || owner(m) == second)): SAFE
// A mutex under contention: it is free again and again, and a thread that waits for it may still
// never get it, unless the scheduler is fair to those who wait for locks.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool waits;

void *first(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
}

void *second(void *arg) {
    for (;;) {
        waits = 1;
        pthread_mutex_lock(&m);
        waits = 0;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
