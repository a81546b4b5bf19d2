// assert: SAFE
// options: --entry reset --mmio PORT --extern log_value=noop --extern read_clock=nondet
// Registers read as anything; what is written to them does not come back.
#include <assert.h>
#include <stdint.h>

struct port {
    uint8_t in, out;
    uint16_t channel[2];
};

extern volatile struct port PORT;
void log_value(int);
unsigned read_clock(void);

void reset(void) {
    int i = read_clock() & 1;
    PORT.out = 5;
    uint8_t value = PORT.in;
    uint16_t sample = PORT.channel[i];
    log_value(sample);
    while ((PORT.in & 0x80) == 0) {
    }
    assert(value <= 255);
}
