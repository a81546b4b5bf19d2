// assert: UNKNOWN
// because: --array-length
// What the system gives main: a list of strings that ends with NULL.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc >= 1 && argv[argc] == 0 && argv[0] != 0);
    int options = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            options++;
        }
        argv[i][0] = 'x';
    }
    assert(options < argc);
    return 0;
}
