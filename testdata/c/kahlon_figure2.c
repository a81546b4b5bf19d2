// assert: SAFE
// Figure 2 of Kahlon, Gupta and Sinha (CAV 2006): the two stores to x are under different locks, but
// to come to its store each thread had to take, and give back, the lock that the other holds there.
// (Locks are taken in opposite orders: the program may deadlock, which is not the question here.)
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lk1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t lk2 = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;

void *thread1(void *arg) {
    int a = 1;
    (void)a;
    pthread_mutex_lock(&lk1);
    pthread_mutex_lock(&lk2);
    y = 1;
    pthread_mutex_unlock(&lk2);
    x = 0;
    assert(x == 0);
    pthread_mutex_unlock(&lk1);
    return 0;
}

void *thread2(void *arg) {
    int b = 0;
    (void)b;
    pthread_mutex_lock(&lk2);
    pthread_mutex_lock(&lk1);
    z = 2;
    pthread_mutex_unlock(&lk1);
    x = 1;
    assert(x == 1);
    pthread_mutex_unlock(&lk2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(y == 1 && z == 2);
    return 0;
}
