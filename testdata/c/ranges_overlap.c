// undefined: UNSAFE
// memcpy, strcpy and strncpy copy between ranges that do not overlap; memmove may.
#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4] = {1, 2, 3, 4};
    char text[8] = "abc";
    int i = __VERIFIER_nondet_int() & 3, n = 8;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        memcpy(a + 1, a, 2 * sizeof *a); // FAIL
        break;
    case 1:
        memcpy(a, a + i, sizeof *a); // FAIL
        break;
    case 2:
        memcpy((char *)a + 3, a, n); // FAIL
        break;
    case 3:
        strcpy(text, text + 1); // FAIL
        break;
    case 4:
        strcat(text, text + 3); // FAIL
        break;
    case 5:
        memcpy(a, a + 2, 2 * sizeof *a);
        strcpy(text + 4, text);
        assert(a[0] == 3 && text[6] == 'c');
        break;
    case 6:
        memmove(a + 1, a, 2 * sizeof *a);
        assert(a[1] == 1 && a[2] == 2);
        break;
    case 7:
        strncpy(text, text + 3, 4); // FAIL
        break;
    case 8:
        strncpy(text + i, text, 3); // FAIL
        break;
    case 9:
        strncpy(text, text + 3, 3);
        strncpy(text + 4, "ab", 4);
        // What is read ends before what is written.
        strncpy(text + 6, text + 4, 2);
        assert(text[0] == 0 && text[6] == 'a' && text[7] == 'b');
        break;
    }
    return 0;
}
