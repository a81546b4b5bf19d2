// assert: SAFE
// Each thread has its own values of a key, NULL at first; the destructor runs when a thread ends.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int ended[2];

void ends(void *value) {
    assert(pthread_getspecific(key) == 0);
    *(int *)value += 1;
}

void *work(void *arg) {
    assert(pthread_getspecific(key) == 0);
    int code = pthread_setspecific(key, arg);
    assert(code == 0);
    assert(pthread_getspecific(key) == arg);
    if (arg == &ended[1]) {
        pthread_exit(0);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    assert(pthread_key_create(&key, ends) == 0);
    pthread_create(&a, 0, work, &ended[0]);
    pthread_create(&b, 0, work, &ended[1]);
    assert(pthread_getspecific(key) == 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ended[0] == 1 && ended[1] == 1);
    return 0;
}
