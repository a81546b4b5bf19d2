// assert: UNKNOWN
// because: --recursion
// Recursion that goes deeper than the bound.
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    assert(sum(9) == 45);
    return 0;
}
