// assert: UNSAFE
// What an argument says is any text.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char *argv[]) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    assert(n != 42); // FAIL
    return 0;
}
