// assert: UNSAFE
// One choice out of 65536 is wrong, and a loop hides it.
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short n = __VERIFIER_nondet_ushort();
    unsigned short reversed = 0;
    for (int i = 0; i < 4; i++) {
        reversed = reversed * 16 + (n & 15);
        n >>= 4;
    }
    assert(reversed != 0x1234); // FAIL
    return 0;
}
