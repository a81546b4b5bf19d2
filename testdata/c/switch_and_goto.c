// assert: SAFE
// Fall-through, default in the middle, jumps into and out of loops.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int weight(unsigned char kind) {
    int w = 0;
    switch (kind) {
    case 3:
        w += 4;
    case 2:
        w += 2;
        break;
    default:
        w = 100;
    case 1:
        w += 1;
    }
    return w;
}

int main(void) {
    unsigned char kind = __VERIFIER_nondet_uchar();
    int w = weight(kind);
    assert(kind != 1 || w == 1);
    assert(kind != 2 || w == 2);
    assert(kind != 3 || w == 6);
    assert((kind >= 1 && kind <= 3) || w == 101);

    int steps = 0;
    goto inside;
    while (steps < 5) {
        steps++;
    inside:
        if (steps == 3)
            goto out;
        steps++;
    }
    steps = 50;
out:
    assert(steps == 50);
    return 0;
}
