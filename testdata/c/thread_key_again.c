// assert: SAFE
// A destructor that sets its value again runs again, four rounds at most.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int rounds;

void ends(void *value) {
    rounds++;
    pthread_setspecific(key, value);
}

void *work(void *arg) {
    pthread_setspecific(key, &rounds);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, ends);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(rounds == 4);
    return 0;
}
