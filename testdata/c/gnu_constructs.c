// assert: SAFE
// Statement expressions, typeof, case ranges, _Generic, _Static_assert, _Alignof.
#include <assert.h>

#define max(a, b) ({ typeof(a) x_ = (a); typeof(b) y_ = (b); x_ > y_ ? x_ : y_; })
_Static_assert(sizeof(int) == 4, "int");
_Static_assert(_Alignof(double) == 8, "double");

static int kind(int c) {
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'z':
        return 2;
    default:
        return 0;
    }
}

int main(void) {
    int i = 3;
    assert(max(i++, 2) == 3 && i == 4);
    assert(kind('5') == 1 && kind('x') == 2 && kind(' ') == 0);
    assert(_Generic(i, int : 1, long : 2, default : 3) == 1);
    assert(_Generic((long)i, int : 1, long : 2, default : 3) == 2);
    int *p = (int[]){1, 2, 3};
    assert(p[2] == 3 && "abc"[1] == 'b');
    const char *s = "xy";
    assert(s[0] == 'x' && s[2] == 0);
    return 0;
}
