// assert: SAFE
// options: --entry reset --isr receive=nvic_enable --mmio UART_DATA
// The handler runs only after it was enabled.
#include <assert.h>
#include <stdint.h>

void nvic_enable(void);
extern volatile uint32_t UART_DATA;

static int ready;
static uint32_t last;

void receive(void) {
    assert(ready);
    last = UART_DATA & 0xff;
}

void reset(void) {
    ready = 1;
    nvic_enable();
    for (;;) {
        assert(last < 256);
    }
}
