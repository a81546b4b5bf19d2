// assert: SAFE
// options: --entry reset --isr tick=irq_disable/irq_enable
// With interrupts disabled the two reads agree, and the handler sees both halves written.
#include <assert.h>
#include <stdint.h>

void irq_disable(void);
void irq_enable(void);

static volatile uint8_t ticks;
static uint8_t low, high;

void tick(void) {
    assert(low == high);
    ticks = (uint8_t)((ticks + 1) % 4);
}

void reset(void) {
    for (;;) {
        irq_disable();
        uint8_t before = ticks;
        low = before;
        high = ticks;
        assert(before == ticks);
        irq_enable();
    }
}
