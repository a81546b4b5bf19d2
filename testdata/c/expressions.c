// assert: SAFE
// Short circuits, comma, conditional, compound assignments, do, continue and break.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int calls;

int called(int result) {
    calls++;
    return result;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int zero = 0;
    int r = zero && called(1);
    assert(r == 0 && calls == 0);
    r = called(2) || called(3);
    assert(r == 1 && calls == 1);
    r = x > 0 ? called(1) : (called(1), called(2));
    assert(r == (x > 0 ? 1 : 2));
    assert(calls == (x > 0 ? 2 : 3));

    int n = 0, odd = 0;
    do {
        n++;
        if (n % 2 == 0)
            continue;
        odd += n;
        if (odd > 8)
            break;
    } while (n < 10);
    assert(n == 5 && odd == 9);

    int a[3] = {1, 2, 3};
    int *p = a;
    *p++ += 10;
    *p-- -= 1;
    assert(a[0] == 11 && a[1] == 1 && p == &a[0] && p[2] == 3 && *(p + 1) == 1);
    int y = (n ^= 7) | 8;
    assert(n == 2 && y == 10);
    return 0;
}
