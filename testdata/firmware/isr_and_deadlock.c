// deadlock: UNKNOWN
// because: interrupt handlers can always run
// options: --entry reset --thread first --thread second --isr tick
// The threads wait for each other for ever, but the handler goes on.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
volatile unsigned ticks;

void reset(void) {
}

void first(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
}

void second(void) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
}

void tick(void) {
    ticks++;
}
