// ltl:G F (rounds == 0): UNSAFE
// main need not come to its assumption, which would discard the run; the worker counts on meanwhile.
#include <pthread.h>

extern void __VERIFIER_assume(int);

int rounds, start;

void *worker(void *arg) {
    rounds = 1;
    for (;;) {
    }
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_assume(0);
    return 0;
}
