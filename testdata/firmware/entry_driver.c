// assert: SAFE
// options: --entry probe --thread ioctl=2 --thread irq_thread --extern read_config=nondet
// A driver without main: probe sets it up, then two callers and the interrupt thread run.
#include <assert.h>
#include <pthread.h>

struct device {
    pthread_mutex_t lock;
    int open_count;
    int mode;
};

static struct device dev;
int read_config(void);

int probe(void) {
    pthread_mutex_init(&dev.lock, 0);
    dev.mode = read_config() & 3;
    return 0;
}

long ioctl(unsigned command, unsigned long argument) {
    pthread_mutex_lock(&dev.lock);
    dev.open_count++;
    if (command == 1) {
        dev.mode = (int)(argument & 3);
    }
    assert(dev.mode >= 0 && dev.mode <= 3);
    dev.open_count--;
    pthread_mutex_unlock(&dev.lock);
    return 0;
}

void irq_thread(void) {
    pthread_mutex_lock(&dev.lock);
    assert(dev.open_count == 0);
    pthread_mutex_unlock(&dev.lock);
}
