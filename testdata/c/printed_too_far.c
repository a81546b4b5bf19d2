// undefined: UNSAFE
// sprintf writes behind the end of a short array, where the number is long.
#include <stdio.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[5];
    snprintf(text, sizeof text, "%s", "long enough");
    unsigned n = __VERIFIER_nondet_uchar();
    sprintf(text, "%u.%u", n, n % 10); // FAIL
    return 0;
}
