// undefined: UNSAFE
// String literals and objects that are defined const must not be written, whatever pointer leads
// there; what a pointer to const points to may be.
#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

const int number = 1;
const char text[] = "abc";
static const struct {
    int first, second;
} both = {1, 2};
int plain;

void set(const int *p, int value) {
    *(int *)p = value;
}

void clear(char *p, int i) {
    p[i] = 0; // FAIL
}

int main(void) {
    const int local = 5;
    const int *places[2] = {&plain, &local};
    char copy[4] = "abc";
    char *s = "abc";
    set(&plain, 2);
    clear(copy, 1);
    assert(plain == 2 && copy[1] == 0);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        *(int *)&number = 2; // FAIL
        break;
    case 1:
        *(int *)places[1] = 6; // FAIL
        break;
    case 2:
        clear(s, 2);
        break;
    case 3:
        ((char *)text)[__VERIFIER_nondet_int() & 1] = 'x'; // FAIL
        break;
    case 4:
        memcpy((void *)&both.second, &plain, sizeof plain); // FAIL
        break;
    case 5:
        __sync_fetch_and_add((int *)places[1], 1); // FAIL
        break;
    case 6:
        *(int *)places[0] = 7;
        assert(plain == 7);
        break;
    }
    assert(number == 1 && local == 5 && s[2] == 'c' && text[0] == 'a' && both.second == 2);
    return 0;
}
