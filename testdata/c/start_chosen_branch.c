// assert: UNSAFE
// A choice that main made before it creates a thread decides about its way.
#include <assert.h>
#include <pthread.h>

int steps;

void *user(void *unused) {
    assert(steps < 3); // FAIL
    return unused;
}

int main(void) {
    unsigned char rounds;
    pthread_t t;
    for (unsigned k = 0; k < (rounds & 3u); k++)
        steps++;
    pthread_create(&t, 0, user, 0);
    pthread_join(t, 0);
    return 0;
}
