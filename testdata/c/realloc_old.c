// undefined: UNSAFE
// The old object is gone after realloc.
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    char *q = p;
    *p = 1;
    p = realloc(p, 2);
    *q = 2; // FAIL
    free(p);
    return 0;
}
