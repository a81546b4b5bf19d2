// assert: SAFE
// A join that does not wait gives EBUSY or the result.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int x;

void *f(void *p)
{
    x = 1;
    return (void *)3;
}

int main(void)
{
    pthread_t t;
    void *r = 0;
    pthread_create(&t, 0, f, 0);
    int e = pthread_tryjoin_np(t, &r);
    assert(e == 0 || e == EBUSY);
    if (e == 0) {
        assert(x == 1 && r == (void *)3);
        return 0;
    }
    assert(r == 0);
    pthread_join(t, &r);
    assert(r == (void *)3 && x == 1);
    return 0;
}
