// assert: SAFE
// Figure 1 of Kahlon, Gupta and Sinha (CAV 2006): x is under the lock everywhere but in the last
// statement. That statement comes after its thread's critical section, so it cannot disturb it, and
// it hides the 2 from whoever looks at the end.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;
int x;

void *thread1(void *arg) {
    int a = 0;
    pthread_mutex_lock(&lk);
    x = 1;
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
    assert(x == 2);
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
    assert(x == 1 || x == 6);
    return 0;
}
