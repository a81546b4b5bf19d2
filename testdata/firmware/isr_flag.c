// assert: UNSAFE
// options: --entry reset --isr timer=timer_on
// The handler runs while its flag is set: here also while the record is half written.
#include <assert.h>

static volatile int timer_on;
static int seconds, minutes;

void timer(void) {
    assert(seconds == minutes); // FAIL
}

void reset(void) {
    timer_on = 1;
    timer_on = 0;
    seconds = 1;
    timer_on = 1;
    minutes = 1;
}
