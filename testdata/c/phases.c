// assert: SAFE
// race: SAFE
// Two threads fill halves of a table; when both have ended, a third adds them up, and only then a
// fourth clears them: nothing protects the table but the order of create and join.
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
    pthread_t a, b;
    pthread_create(&a, 0, low, 0);
    pthread_create(&b, 0, high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_create(&a, 0, add, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, clear, 0);
    pthread_join(b, 0);
    assert(sum == 10);
    assert(table[0] + table[3] == 0);
    return 0;
}
