// assert: SAFE
// A variable-length array has the length that its declaration finds.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int last(int *a, int n) {
    return a[n - 1];
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n >= 2 && n <= 3);
    int a[n];
    assert(sizeof a == n * sizeof(int));
    n = 9;
    assert(sizeof a <= 12);
    for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++) {
        short b[i + 1];
        b[i] = (short)(i + 4);
        a[i] = b[i];
    }
    assert(last(a, sizeof a / sizeof(int)) == (int)(sizeof a / sizeof(int)) + 3);
    return 0;
}
