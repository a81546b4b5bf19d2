// assert: UNSAFE
// As phases.c, but the thread that fills the upper half is joined after the sum is taken.
#include <assert.h>
#include <pthread.h>

int table[4];
int sum;

void *low(void *arg) {
    table[0] = 1;
    table[1] = 2;
    return 0;
}

void *high(void *arg) {
    table[2] = 3;
    table[3] = 4;
    return 0;
}

void *add(void *arg) {
    for (int i = 0; i < 4; i++)
        sum += table[i];
    return 0;
}

void *clear(void *arg) {
    for (int i = 0; i < 4; i++)
        table[i] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, low, 0);
    pthread_create(&b, 0, high, 0);
    pthread_join(a, 0);
    pthread_create(&c, 0, add, 0);
    pthread_join(c, 0);
    pthread_join(b, 0);
    assert(sum == 10); // FAIL
    pthread_create(&a, 0, clear, 0);
    pthread_join(a, 0);
    assert(table[0] + table[3] == 0);
    return 0;
}
