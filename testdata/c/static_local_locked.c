// assert: SAFE
// A static local variable under a static mutex.
#include <assert.h>
#include <pthread.h>

int next_id(void) {
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static int last = 10;
    pthread_mutex_lock(&m);
    int id = ++last;
    pthread_mutex_unlock(&m);
    return id;
}

int ids[2];

void *first(void *arg) {
    ids[0] = next_id();
    return 0;
}

void *second(void *arg) {
    ids[1] = next_id();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ids[0] + ids[1] == 23);
    return 0;
}
