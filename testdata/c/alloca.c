// assert: SAFE
// What alloca makes lives until its function ends, not until its block does.
#include <alloca.h>
#include <assert.h>

static int sum(int n) {
    int *p = 0, total = 0;
    for (int i = 0; i < 2; i++) {
        int *q = alloca(sizeof(int));
        *q = n + i;
        if (p) {
            total = *p;
        }
        p = q;
    }
    return total + *p;
}

int main(void) {
    assert(sum(1) == 3);
    assert(sum(2) == 5);
    return 0;
}
