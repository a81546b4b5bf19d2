// assert: SAFE
// The branches of ?: are promoted even where their types are equal.
#include <assert.h>

_Bool b;
unsigned char c;

int main(void) {
    assert(sizeof(c ? b : b) == sizeof(int));
    assert((b ? c : c) - 1 < 0);
    return 0;
}
