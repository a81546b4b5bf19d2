// assert: UNSAFE
// thread2 may come to its store without the mutex that thread1 holds. (Whoever takes what some way
// needs for what all ways need does not let it: REDUCTION.md, R3.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y;

void *thread1(void *arg) {
    pthread_mutex_lock(&a);
    y = 1;
    assert(x == 0); // FAIL
    pthread_mutex_unlock(&a);
    return 0;
}

void *thread2(void *arg) {
    while (y != 1) {
    }
    if (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&a);
        x = 1;
        pthread_mutex_unlock(&a);
    } else {
        pthread_mutex_lock(&b);
        x = 1;
        pthread_mutex_unlock(&b);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
