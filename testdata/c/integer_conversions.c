// assert: SAFE
// Promotions, wrapping, sign extension, shifts and comparisons between signed and unsigned.
#include <assert.h>

int main(void) {
    unsigned char c = 255;
    c++;
    assert(c == 0);
    signed char s = (signed char)200;
    assert(s == -56);
    assert((unsigned char)~0 == 255);
    assert(~(unsigned char)0 == -1);
    assert((unsigned)-1 > 0);
    assert(!(-1 < 1u));
    assert(-1 < (long)1u);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    assert((-8 >> 1) == -4);
    assert((_Bool)256 == 1);
    unsigned short h = 65535;
    assert(h * 2u == 131070u);
    assert((short)(h + 2) == 1);
    enum { A, B = 5, C } e = C;
    assert(e == 6);
    unsigned bits = 1;
    bits <<= 31;
    bits >>= 30;
    assert(bits == 2);
    return 0;
}
