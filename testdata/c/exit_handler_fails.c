// assert: UNSAFE
// A thread ends the process, and what atexit was given finds the work half done.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int begun, done;

static void check(void)
{
    assert(begun == done); // FAIL
}

void *work(void *p)
{
    begun++;
    done++;
    return p;
}

void *stop(void *p)
{
    exit(0);
}

int main(void)
{
    pthread_t t, u;
    atexit(check);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, stop, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
