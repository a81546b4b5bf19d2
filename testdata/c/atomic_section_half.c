// assert: UNSAFE
// The reader looks twice, and an atomic step comes between.
#include <assert.h>
#include <pthread.h>

int left = 5, right = 5;

void __VERIFIER_atomic_move(void) {
    left--;
    right++;
}

void *mover(void *arg) {
    __VERIFIER_atomic_move();
    return 0;
}

void *checker(void *arg) {
    int sum = left + right;
    assert(sum == 10); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, checker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
