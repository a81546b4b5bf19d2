// assert: SAFE
// Program P4-1 of Wilhelm's thesis on multi-threaded verification: the third thread reads x without
// the lock, which disturbs nobody.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
int x = 2;

void *thread1(void *arg) {
    pthread_mutex_lock(&mx);
    x = x + 1;
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&mx);
    x = x - 1;
    pthread_mutex_unlock(&mx);
    return 0;
}

void *thread3(void *arg) {
    int a = x;
    (void)a;
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
    assert(x != 1);
    return 0;
}
