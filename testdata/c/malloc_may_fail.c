// assert: UNSAFE
// options: --malloc-may-fail
// Allocations can fail, and what does not look at the result is wrong.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p) {
        *p = 1;
        int *q = realloc(p, 2 * sizeof *q);
        // Where it fails the old object is still there.
        int *r = q ? q : p;
        assert(*r == 1);
        free(r);
    }
    int *s = calloc(2, sizeof *s);
    assert(s != 0); // FAIL
    free(s);
    return 0;
}
