// assert: UNSAFE
// What main chose before it creates a thread stays a choice.
#include <assert.h>
#include <pthread.h>

int limit;

void *user(void *unused) {
    assert(limit != 5); // FAIL
    return unused;
}

int main(void) {
    unsigned char chosen, copy;
    pthread_t t;
    copy = chosen;
    limit = copy & 7;
    pthread_create(&t, 0, user, 0);
    pthread_join(t, 0);
    return 0;
}
