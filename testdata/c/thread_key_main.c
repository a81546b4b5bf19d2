// assert: SAFE
// The end of the process runs no destructors.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void ends(void *value) {
    assert(0);
}

int main(void) {
    pthread_key_create(&key, ends);
    pthread_setspecific(key, &key);
    return 0;
}
