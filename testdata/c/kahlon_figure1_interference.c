// assert: UNSAFE
// Figure 1 of Kahlon, Gupta and Sinha (CAV 2006): the store of 6 without the lock disturbs the other
// thread's critical section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;
int x;

void *thread1(void *arg) {
    int a = 0;
    pthread_mutex_lock(&lk);
    x = 1;
    assert(x == 1); // FAIL
    pthread_mutex_unlock(&lk);
    a = 4;
    (void)a;
    return 0;
}

void *thread2(void *arg) {
    int z = 5;
    (void)z;
    pthread_mutex_lock(&lk);
    x = 2;
    pthread_mutex_unlock(&lk);
    x = 6;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
