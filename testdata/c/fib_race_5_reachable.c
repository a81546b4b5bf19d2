// assert: UNSAFE
// Two threads add to each other's number, 5 rounds each. The largest number that a schedule can
// reach is 144, the Fibonacci number F(12); this program claims that it is not reached.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 5

unsigned char i = 1, j = 1;

void *add_to_i(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        i = i + j;
    return 0;
}

void *add_to_j(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        j = j + i;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add_to_i, 0);
    pthread_create(&b, 0, add_to_j, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i < 144 && j < 144); // FAIL
    return 0;
}
