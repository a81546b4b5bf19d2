// deadlock: SAFE
// The run that would lock twice is discarded by an assumption: that is no deadlock.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    if (__VERIFIER_nondet_int())
        __VERIFIER_assume(0);
    else
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
