// assert: SAFE
// clang's <stdatomic.h> declares the types of <stdint.h>, gcc's does not.
#include <assert.h>
#include <stdatomic.h>

atomic_uint n;

int main(void)
{
    intptr_t a = (intptr_t)&n;
    uint32_t b = -1;
    int64_t c = -1;
    uint8_t d = 257;
    assert((atomic_uint *)a == &n && b == 0xffffffffu && c < 0 && sizeof c == 8 && d == 1);
    return 0;
}
