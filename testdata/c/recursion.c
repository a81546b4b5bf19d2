// assert: SAFE
// Recursion that ends within the bound.
#include <assert.h>

static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
    assert(fact(4) == 24);
    assert(even(4) && odd(3));
    return 0;
}
