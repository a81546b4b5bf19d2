// assert: UNSAFE
// undefined: UNSAFE
// An argument is used that may not be there; what it says is any text.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char *argv[]) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    assert(n != 42);    // FAIL
    return argv[1][0]; // FAIL
}
