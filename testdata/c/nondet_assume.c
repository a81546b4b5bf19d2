// assert: SAFE
// Choices are free but for what is assumed of them.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n >= 2 && n < 5);
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += __VERIFIER_nondet_bool() ? i : 0;
    assert(sum <= 6);
    assert(n * n < 17);
    return 0;
}
