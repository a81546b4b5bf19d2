// deadlock:local: SAFE
// A box is not moved to itself.
#include <pthread.h>
struct box {
    pthread_mutex_t lock;
    int full;
} boxes[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
void move(struct box *from, struct box *to) {
    if (from == to) {
        return;
    }
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    to->full = from->full;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
int __VERIFIER_nondet_int(void);
void *worker(void *arg) {
    move(&boxes[0], &boxes[__VERIFIER_nondet_int() ? 1 : 0]);
    return 0;
}
volatile unsigned char beat;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (;;) {
        beat = !beat;
    }
}
