// assert: SAFE
// gcc's arithmetic that tells whether the exact result fits.
#include <assert.h>
#include <limits.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int r;
    unsigned u;
    long l;
    unsigned long ul;
    long long ll;
    unsigned char c;
    signed char s;
    assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN);
    assert(!__builtin_add_overflow(INT_MAX, 1, &l) && l == 2147483648L);
    assert(__builtin_sub_overflow(0u, 1u, &u) && u == UINT_MAX);
    assert(!__builtin_sub_overflow(0u, 1u, &r) && r == -1);
    assert(__builtin_mul_overflow(100, 3, &c) && c == 44);
    assert(!__builtin_mul_overflow(-8, 16, &s) && s == -128);
    assert(__builtin_mul_overflow(LONG_MIN, -1L, &l) && l == LONG_MIN);
    assert(!__builtin_mul_overflow(LONG_MIN, -1L, &ul) && ul == 1ul << 63);
    assert(__builtin_mul_overflow(ULONG_MAX, ULONG_MAX, &ul) && ul == 1);
    assert(__builtin_add_overflow(ULONG_MAX, 1, &l) && l == 0);
    assert(!__builtin_add_overflow(-1, ULONG_MAX, &ul) && ul == ULONG_MAX - 1);
    assert(__builtin_sub_overflow(-1, 0u, &ul) && ul == ULONG_MAX);
    assert(__builtin_sadd_overflow(INT_MIN, -1, &r) && r == INT_MAX);
    assert(!__builtin_uaddl_overflow(1, 2, &ul) && ul == 3);
    assert(__builtin_smulll_overflow(LLONG_MAX, 2, &ll) && ll == -2);
    assert(__builtin_umul_overflow(65536, 65536, &u) && u == 0);
    assert(__builtin_add_overflow_p(INT_MAX, 1, 0) && !__builtin_add_overflow_p(INT_MAX, 1, 0u));
    int i = 5;
    assert(!__builtin_add_overflow(i++, 1, &r) && i == 6 && r == 6);
    int *p = &i;
    assert(!__builtin_add_overflow(*p, *p, p) && i == 12);
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned v = __VERIFIER_nondet_uint();
    long exact = (long)x + y;
    assert(__builtin_add_overflow(x, y, &r) == (exact < INT_MIN || exact > INT_MAX));
    assert(__builtin_sub_overflow(x, v, &r) == ((long)x - v < INT_MIN));
    assert(__builtin_sub_overflow(v, x, &u) == ((long)v - x < 0 || (long)v - x > UINT_MAX));
    return 0;
}
