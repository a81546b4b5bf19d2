// undefined: UNSAFE
// realloc of what is no object of the heap.
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    free(p);
    p = realloc(p, 2); // FAIL
    free(p);
    return 0;
}
