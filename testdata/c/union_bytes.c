// assert: SAFE
// Members of a union share their bytes, little-endian.
#include <assert.h>

union word {
    unsigned int w;
    unsigned char b[4];
    struct {
        unsigned short low, high;
    };
};
union word g = {.b = {1, 2, 3, 4}};

int main(void) {
    union word x;
    x.w = 0x11223344;
    assert(x.b[0] == 0x44 && x.b[3] == 0x11 && x.high == 0x1122);
    x.b[1] = 0xff;
    assert(x.w == 0x1122ff44);
    assert(g.w == 0x04030201);
    union word *p = &x;
    p->low = 7;
    assert(p->w == 0x11220007);
    return 0;
}
