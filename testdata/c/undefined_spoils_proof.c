// undefined: UNSAFE
// assert: UNKNOWN
// The assertion holds in every run, but after a division by zero nothing is sure.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    int r = 100 / n; // FAIL
    assert(r <= 100);
    return 0;
}
