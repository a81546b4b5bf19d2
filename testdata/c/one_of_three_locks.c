// assert: SAFE
// race: SAFE
// A store to x under three mutexes, and one under any single one of them. (That no way of thread2 to
// its store is open while thread1 is at its own is seen only if three sets of locks are told apart.)
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
int x;

void *thread1(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    x = 1;
    assert(x == 1);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *thread2(void *arg) {
    unsigned char way = __VERIFIER_nondet_uchar();
    if (way == 0) {
        pthread_mutex_lock(&a);
        x = 2;
        pthread_mutex_unlock(&a);
    } else if (way == 1) {
        pthread_mutex_lock(&b);
        x = 2;
        pthread_mutex_unlock(&b);
    } else {
        pthread_mutex_lock(&c);
        x = 2;
        pthread_mutex_unlock(&c);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 1 || x == 2);
    return 0;
}
