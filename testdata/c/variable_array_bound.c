// assert: UNKNOWN
// because: --array-length
// A variable-length array may be longer than the bound of the model.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar() + 1;
    char a[n];
    a[0] = 1;
    assert(a[0] == 1);
    return 0;
}
