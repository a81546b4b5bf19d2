// assert: SAFE
// Values of a deleted key are forgotten, and their destructor does not run.
#include <assert.h>
#include <pthread.h>

pthread_key_t key, other;
int ended;

void ends(void *value) {
    ended++;
}

void *work(void *arg) {
    pthread_setspecific(key, &ended);
    pthread_key_delete(key);
    assert(pthread_key_delete(key) != 0);
    assert(pthread_setspecific(key, &ended) != 0);
    pthread_key_create(&other, 0);
    assert(pthread_getspecific(other) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, ends);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(ended == 0);
    return 0;
}
