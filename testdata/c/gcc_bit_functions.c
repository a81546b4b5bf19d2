// assert: SAFE
// What gcc counts in words, at constants and at any value.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    assert(__builtin_popcount(0xf0f) == 8 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31);
    assert(__builtin_ffsll(0) == 0 && __builtin_ffs(4) == 3 && __builtin_parity(7) == 1);
    assert(__builtin_clzl(1) == 63 && __builtin_popcountll(-1LL) == 64);
    assert(__builtin_bswap64(0x0102030405060708) == 0x0807060504030201);
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
    if (x) {
        int n = __builtin_ctz(x);
        assert(x >> n & 1);
        assert((x & ((1u << n) - 1)) == 0);
    }
    return 0;
}
