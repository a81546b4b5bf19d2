#ifndef COUNTER_H
#define COUNTER_H

#ifndef STEP
#define STEP 1
#endif

extern int counter;

void *worker(void *arg);

#endif
