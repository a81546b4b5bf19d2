// assert: UNKNOWN
// undefined: UNSAFE
// A call of no function is undefined.
#include <assert.h>

int (*f)(void);
static int one(void) { return 1; }

int main(void) {
    int (*g)(void) = one;
    assert(g() == 1);
    return f(); // FAIL
}
