// assert: UNSAFE
// A local of main is undetermined while main fills an array, and read when the thread has ended.
#include <assert.h>
#include <pthread.h>

unsigned char table[6];

void *user(void *unused) {
    table[2] = 9;
    return unused;
}

int main(void) {
    unsigned char chosen;
    pthread_t t;
    for (int k = 0; k < 6; k++)
        table[k] = k;
    pthread_create(&t, 0, user, 0);
    pthread_join(t, 0);
    assert(table[2] != chosen); // FAIL
    return 0;
}
