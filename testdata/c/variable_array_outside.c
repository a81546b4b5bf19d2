// undefined: UNSAFE
// An access behind the end of a variable-length array.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n >= 1 && n <= 3);
    int a[n];
    a[2] = 1; // FAIL
    return 0;
}
