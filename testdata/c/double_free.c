// assert: UNKNOWN
// undefined: UNSAFE
// What is freed twice is no object any more.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    free(p);
    free(NULL);
    free(p); // FAIL
    assert(1);
    return 0;
}
