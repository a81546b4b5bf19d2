// assert: SAFE
// abort and exit end the run before the assertion behind them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        abort();
    if (x > 10)
        exit(1);
    assert(x >= 0 && x <= 10);
    return 0;
}
