// undefined: UNSAFE
// A value that nobody wants is read all the same, be it a number or a struct.
#include <stddef.h>

struct pair {
    int first, second;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1, *p = &x, *q = NULL;
    struct pair a = {1, 2}, *b = NULL;
    *p;
    (void)a;
    (void)q;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        *q; // FAIL
        break;
    case 1:
        (void)*q; // FAIL
        break;
    case 2:
        b->second; // FAIL
        break;
    case 3:
        *b; // FAIL
        break;
    case 4:
        *q, x = 2; // FAIL
        break;
    case 5:
        __VERIFIER_nondet_int() ? *q : *p; // FAIL
        break;
    case 6:
        (void)sizeof *q;
        (void)&b->second;
        break;
    }
    return 0;
}
