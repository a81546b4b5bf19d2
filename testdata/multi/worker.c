#include "counter.h"

static int last;
int counter;

void *worker(void *arg) {
    last = counter;
    counter = last + STEP;
    return 0;
}
