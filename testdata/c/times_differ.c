// assert: UNSAFE
// Nothing says that the clock stands still.
#include <assert.h>
#include <time.h>

int main(void) {
    assert(time(NULL) == time(NULL)); // FAIL
    return 0;
}
