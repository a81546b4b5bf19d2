// assert: SAFE
// Sections and functions that run as one step.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int left = 5, right = 5;

void __VERIFIER_atomic_move(int n) {
    left -= n;
    right += n;
}

void *mover(void *arg) {
    __VERIFIER_atomic_begin();
    if (left > 2)
        left--, right++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_move(2);
    return 0;
}

void *checker(void *arg) {
    __VERIFIER_atomic_begin();
    int sum = left + right;
    __VERIFIER_atomic_end();
    assert(sum == 10);
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
