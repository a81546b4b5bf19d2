// undefined: UNSAFE
// What alloca made ends with its function.
#include <alloca.h>

static int *make(void) {
    int *p = alloca(sizeof(int));
    *p = 1;
    return p;
}

int main(void) {
    int *p = make();
    return *p; // FAIL
}
