// assert: UNSAFE
// A local variable has any value until it is written.
#include <assert.h>

int main(void) {
    int x;
    assert(x != 77); // FAIL
    return 0;
}
