// assert: UNKNOWN
// because: --heap-per-site
// An allocation in a loop without a constant bound reaches the bound of the model.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        char *p = malloc(1);
        *p = 1;
        n++;
    }
    assert(n >= 0);
    return 0;
}
