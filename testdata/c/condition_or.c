// assert: SAFE
// `a ?: b` evaluates its condition once.
#include <assert.h>

int calls;

static int next(int value) {
    calls++;
    return value;
}

int main(void) {
    int first = next(3) ?: next(4);
    int second = next(0) ?: next(5);
    assert(first == 3 && second == 5 && calls == 3);
    char *p = 0;
    char *q = p ?: (char *)&calls;
    assert(q == (char *)&calls);
    assert((next(0) ?: next(0) ?: 7) == 7);
    return 0;
}
