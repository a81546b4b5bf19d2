// assert: SAFE
// A string that is no literal is copied; what does not fit is only counted.
#include <assert.h>
#include <stdio.h>
#include <string.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char text[4];
    const char *name = __VERIFIER_nondet_bool() ? "ab" : "abcd";
    int n = snprintf(text, sizeof text, "%s!", name);
    assert(n == 3 || n == 5);
    assert(!strcmp(text, n == 3 ? "ab!" : "abc"));
    return 0;
}
