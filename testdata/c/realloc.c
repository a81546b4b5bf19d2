// assert: SAFE
// realloc keeps what fits, begins with NULL, and ends with size 0.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = realloc(0, sizeof(int));
    *p = 3;
    p = realloc(p, 3 * sizeof(int));
    p[2] = 5;
    assert(p[0] == 3);
    p = realloc(p, 2 * sizeof(int));
    assert(p[0] == 3);
    p[1] = 4;
    short *q = realloc(p, sizeof(short));
    assert(*q == 3);
    assert(realloc(q, 0) == 0);
    return 0;
}
