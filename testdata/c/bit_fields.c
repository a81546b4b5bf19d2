// assert: SAFE
// Bit-fields hold as many bits as they have, sign included, and leave their neighbours alone.
#include <assert.h>

struct bits {
    unsigned a : 3;
    int b : 4;
    unsigned c : 9;
    char d;
    _Bool e : 1;
};
struct promoted {
    unsigned small : 3;
    unsigned long medium : 3;
    unsigned long full : 32;
    long minus : 32;
} q;
struct bits g = {5, -3, 300, 'x', 1};

int main(void) {
    struct bits s = {1, 2, 3, 4, 0};
    s.a = 9;
    s.b = 9;
    s.c += 510;
    assert(s.a == 1 && s.b == -7 && s.c == 1 && s.d == 4 && s.e == 0);
    assert(g.a == 5 && g.b == -3 && g.c == 300 && g.d == 'x' && g.e);
    struct bits *p = &s;
    p->e = 2;
    p->b++;
    assert(s.e == 1 && s.b == -6 && s.d == 4);
    assert(sizeof(struct bits) == 4);
    // What int can hold is an int, what unsigned can hold unsigned, in assignments, too.
    long wide = q.full - 1;
    assert(wide == 0xffffffff && q.small - 1 < 0);
    q.small = q.medium = 7;
    q.full = 0xffffffff;
    q.minus = -1;
    assert(q.medium > -1 && !(q.full > -1) && q.minus > 0u);
    q.small /= -1;
    q.medium /= -2;
    q.full /= -1;
    q.minus /= 2u;
    assert(q.small == 1 && q.medium == 5 && q.full == 1 && q.minus == 0x7fffffff);
    return 0;
}
