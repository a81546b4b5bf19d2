// assert: UNSAFE
// options: --entry probe --thread ioctl=2
// The same driver, where somebody forgot the lock.
#include <assert.h>

static int open_count;

int probe(void) {
    open_count = 0;
    return 0;
}

long ioctl(unsigned command, unsigned long argument) {
    open_count++;
    assert(open_count == 1); // FAIL
    open_count--;
    return 0;
}
