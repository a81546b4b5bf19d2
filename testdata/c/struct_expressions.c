// assert: SAFE
// Members of structs that are values: of calls, assignments, choices, statement expressions.
#include <assert.h>

struct inner {
    char c[3];
    short s;
};
struct outer {
    struct inner in;
    int n;
};

static struct outer make(int n) {
    struct outer o = {{{1, 2, 3}, 4}, n};
    return o;
}

int main(void) {
    struct outer a = make(5), b = make(7), d;
    assert(make(9).n == 9 && make(1).in.c[2] == 3);
    assert((d = a).n == 5 && d.in.s == 4);
    assert((a.n == 5 ? a : b).n == 5 && (a.n != 5 ? a : b).n == 7);
    assert((a.n = 6, a).n == 6);
    assert(({ struct outer t = b; t.n++; t; }).n == 8);
    assert(({ a; }).in.c[1] == 2);
    for (int i = 0; i < 3; i++) {
        assert(((char[]){4, 5, 6})[i] == 4 + i);
    }
    return 0;
}
