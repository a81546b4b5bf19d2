// assert: SAFE
// Structs are assigned, passed and returned by value.
#include <assert.h>

struct point {
    int x, y;
    char name[2];
};
struct pair {
    struct point a, b;
};

static struct point swap(struct point p) {
    struct point q = {p.y, p.x, {p.name[1], p.name[0]}};
    p.x = 100;
    return q;
}

int main(void) {
    struct point p = {1, 2, "ab"};
    struct point q = swap(p);
    assert(p.x == 1 && q.x == 2 && q.y == 1 && q.name[0] == 'b');
    struct pair s = {p, q}, t;
    t = s;
    struct point *r = &t.b;
    *r = swap(*r);
    assert(t.b.x == 1 && s.b.x == 2 && swap(t.a).x == 2);
    t.a = (struct point){.y = 9};
    assert(t.a.x == 0 && t.a.y == 9);
    return 0;
}
