// assert: SAFE
// Program P3-1 of Wilhelm's thesis on multi-threaded verification: the third thread stores to y without a lock, which x does not depend on.
// x ends as 11 only if the second thread comes between two accesses of the first.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t my = PTHREAD_MUTEX_INITIALIZER;
int x = 2, y = 2;

void *thread1(void *arg) {
    int a;
    pthread_mutex_lock(&mx);
    a = x;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    a = a + 1;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    x = 2 * x + a;
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&mx);
    x = x + 2;
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread3(void *arg) {
    pthread_mutex_lock(&my);
    y = y + 2;
    pthread_mutex_unlock(&my);
    y = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(x != 11);
    return 0;
}
