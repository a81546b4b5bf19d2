// assert: UNSAFE
// options: --entry reset --isr tick
// An interrupt between the load and the store of `ticks = 0` is lost to nobody, but one between
// the two reads shows two values.
#include <assert.h>
#include <stdint.h>

static volatile uint8_t ticks;

void tick(void) {
    if (ticks < 3) {
        ticks++;
    }
}

void reset(void) {
    uint8_t before = ticks;
    uint8_t after = ticks;
    assert(before == after); // FAIL
}
