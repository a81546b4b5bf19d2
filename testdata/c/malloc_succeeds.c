// assert: SAFE
// Without --malloc-may-fail allocations succeed, and their objects are apart.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = malloc(3), *b = aligned_alloc(64, 64), *c = strdup("ab");
    assert(a && b && c && a != b && b != c);
    assert((uintptr_t)b % 64 == 0);
    assert(strcmp(c, "ab") == 0);
    // What is shorter is filled up, what is longer is cut without an end.
    strncpy(a, c, 3);
    assert(a[0] == 'a' && a[1] == 'b' && a[2] == 0);
    strncpy(a, "xyz!", 3);
    assert(a[0] == 'x' && a[2] == 'z');
    memset(b, 7, 64);
    assert(strncmp(a, "xyw", 2) == 0 && b[63] == 7);
    free(a);
    free(b);
    free(c);
    return 0;
}
