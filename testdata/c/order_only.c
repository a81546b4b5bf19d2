// assert: SAFE
// Two threads look for the largest of their two numbers; whoever has a larger one than was found so far
// puts it in place. The numbers are only copied and compared, so that few values stand for all.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int number[4], largest;

static void offer(int value) {
    pthread_mutex_lock(&m);
    if (largest < value)
        largest = value;
    pthread_mutex_unlock(&m);
}

void *first(void *unused) {
    offer(number[0]);
    offer(number[1]);
    return unused;
}

void *second(void *unused) {
    offer(number[2]);
    offer(number[3]);
    return unused;
}

int main(void) {
    pthread_t a, b;
    for (int k = 0; k < 4; k++)
        number[k] = __VERIFIER_nondet_int();
    largest = number[0];
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int k = 0; k < 4; k++)
        assert(number[k] <= largest);
    assert(largest == number[0] || largest == number[1] || largest == number[2] || largest == number[3]);
    return 0;
}
