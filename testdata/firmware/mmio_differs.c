// assert: UNSAFE
// options: --entry reset --mmio STATUS
// Two reads of a register may differ.
#include <assert.h>

extern volatile unsigned char STATUS;

void reset(void) {
    unsigned char a = STATUS;
    STATUS = a;
    assert(STATUS == a); // FAIL
}
