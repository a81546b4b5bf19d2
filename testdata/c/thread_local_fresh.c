// assert: SAFE
// A thread that runs where another one ended has fresh thread-local variables.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
extern bool __VERIFIER_nondet_bool(void);

_Thread_local int mine;

void *work(void *arg) {
    int *p = &mine;
    assert(*p == 0);
    *p = 7;
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return 0;
}
