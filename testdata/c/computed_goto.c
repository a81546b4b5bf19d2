// assert: SAFE
// Labels as values, and labels of a block alone.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define FIND(a, n, x) ({ \
    __label__ found; \
    int i_; \
    for (i_ = 0; i_ < (n); i_++) \
        if ((a)[i_] == (x)) \
            goto found; \
    i_ = -1; \
found: \
    i_; \
})

int main(void)
{
    static void *const table[] = { &&both, &&one, &&end };
    int k = __VERIFIER_nondet_int(), seen = 0;
    if (k < 0 || k > 2) {
        return 0;
    }
    goto *table[k];
both:
    seen += 1;
one:
    seen += 10;
end:
    assert(seen == (k == 0 ? 11 : k == 1 ? 10 : 0));
    void *again = &&both;
    if (k == 2) {
        k = seen = 0;
        goto *again;
    }
    int a[3] = { 4, 5, 6 };
    int x = FIND(a, 3, 5), y = FIND(a, 3, 7);
    assert(x == 1 && y == -1);
    return 0;
}
