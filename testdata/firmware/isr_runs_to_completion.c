// assert: SAFE
// options: --thread task --isr first --isr second
// No thread and no other handler runs before a handler has ended. There is no entry.
#include <assert.h>

static int inside;

void first(void) {
    inside = 1;
    inside = 0;
}

void second(void) {
    assert(inside == 0);
}

void task(void) {
    assert(inside == 0);
}
