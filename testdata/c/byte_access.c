// assert: SAFE
// Bytes of an object of another type, through pointers.
#include <assert.h>

int g = 0x01020304;
struct {
    short a;
    char b, c;
} s;

int main(void) {
    unsigned char *p = (unsigned char *)&g;
    assert(p[0] == 4 && p[3] == 1);
    p[1] = 0x55;
    assert(g == 0x01025504);
    *(short *)(p + 1) = 0x6677;
    assert(g == 0x01667704);
    *(int *)&s = 0x0a0b0c0d;
    assert(s.a == 0x0c0d && s.b == 0x0b && s.c == 0x0a);
    long l = (long)&g;
    assert(*(int *)l == g && (void *)l == (void *)&g);
    int **pp, *q = &g;
    pp = &q;
    **pp = 5;
    assert(g == 5);
    return 0;
}
