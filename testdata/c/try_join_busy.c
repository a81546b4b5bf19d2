// assert: UNSAFE
// The thread may be there still.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

void *f(void *p)
{
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    assert(pthread_tryjoin_np(t, 0) == 0); // FAIL
    return 0;
}
